/** The data of the plot as a table. */

import type { UsageDay } from "@/api/usage";
import { count, money, utcDay } from "@/lib/format";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";

const words = settings.usage;

/** Newest first. */
export function DayTable({ days }: { days: readonly UsageDay[] }) {
  const heads = [
    words.calls,
    words.failed,
    words.parts.input,
    words.parts.cached,
    words.parts.output,
    words.tokens,
    words.cost,
  ];
  return (
    // The table scrolls horizontally on a phone, also by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrollable content must be reachable by keyboard.
    <div className={shared.wide} role="region" aria-label={words.title} tabIndex={0}>
      <table className={shared.table}>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            {heads.map((head) => (
              <th key={head} scope="col" className={shared.number}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <Row key={day.day} day={day} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ day }: { day: UsageDay }) {
  const cached = day.cache_read_tokens + day.cache_write_tokens;
  const numbers = [day.calls, day.failed, day.input_tokens, cached, day.output_tokens, day.tokens];
  return (
    <tr>
      <th scope="row">{utcDay(day.day)}</th>
      {numbers.map((value, index) => (
        <td key={index} className={shared.number}>
          {count(value)}
        </td>
      ))}
      <td className={shared.number}>{money(day.cost_micros)}</td>
    </tr>
  );
}
