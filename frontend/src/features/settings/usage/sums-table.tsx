/** Usage by purpose and by model, with notes on estimates and missing prices. */

import type { ReactNode } from "react";
import type { ModelUsage, PurposeUsage, UsageSums } from "@/api/usage";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { count, money } from "@/lib/format";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import classes from "./usage.module.css";

const words = settings.usage;

interface TableProps<Row> {
  rows: readonly Row[];
  /** The id of the heading. */
  label: string;
}

export function PurposeTable({ rows, label }: TableProps<PurposeUsage>) {
  const { purposes } = settings;
  return (
    <Sums head={words.purpose} label={label} isEmpty={rows.length === 0}>
      {rows.map((row) => (
        <Line key={row.purpose} sums={row} name={purposes[row.purpose] ?? row.purpose} />
      ))}
    </Sums>
  );
}

export function ModelTable({ rows, label }: TableProps<ModelUsage>) {
  return (
    <Sums head={words.model} label={label} isEmpty={rows.length === 0}>
      {rows.map((row) => (
        <ModelLine key={`${row.provider}/${row.model}`} row={row} />
      ))}
    </Sums>
  );
}

function ModelLine({ row }: { row: ModelUsage }) {
  const { provider_label: provider, model, estimated_calls: estimated, unpriced_calls: unpriced } = row;
  const notes = [
    provider,
    ...(estimated > 0 ? [words.estimated(estimated)] : []),
    ...(unpriced > 0 && unpriced < row.calls ? [words.unpriced(unpriced)] : []),
  ];
  return (
    <Line
      sums={row}
      name={
        <>
          <span className={classes.model}>{model}</span>
          <span className={classes.notes}>{notes.join(" · ")}</span>
        </>
      }
      isEstimated={estimated > 0}
      hasPrice={unpriced < row.calls || row.calls === 0}
    />
  );
}

interface SumsProps {
  head: string;
  label: string;
  isEmpty: boolean;
  children: ReactNode;
}

function Sums({ head, label, isEmpty, children }: SumsProps) {
  if (isEmpty) return <p className={shared.told}>{words.nothing}</p>;
  return (
    <table className={shared.table} aria-labelledby={label}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {[words.calls, words.failed, words.tokens, words.cost].map((name) => (
            <th key={name} scope="col" className={shared.number}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

interface LineProps {
  sums: UsageSums;
  name: ReactNode;
  isEstimated?: boolean;
  hasPrice?: boolean;
}

function Line({ sums, name, isEstimated = false, hasPrice = true }: LineProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={shared.number}>{count(sums.calls)}</td>
      <td className={shared.number}>{count(sums.failed)}</td>
      <td className={shared.number}>
        <NumberWithSource value={sums.tokens} source={isEstimated ? "estimated" : "reported"} />
      </td>
      <td className={hasPrice ? shared.number : classes.noPrice}>
        {hasPrice ? money(sums.cost_micros) : words.noPrice}
      </td>
    </tr>
  );
}
