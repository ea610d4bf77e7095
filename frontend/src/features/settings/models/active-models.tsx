/** The active model for each purpose, with the reason. */

import type { ChosenModel } from "@/api/models";
import { Tag } from "@/components/ui/tag";
import { settings } from "@/texts/settings";
import shared from "../shared.module.css";
import classes from "./models.module.css";

export function ActiveModels({ choices }: { choices: readonly ChosenModel[] }) {
  const words = settings.models;
  return (
    <section className={shared.block}>
      <h2 id="answering">{words.now}</h2>
      <table className={shared.table} aria-labelledby="answering">
        <thead>
          <tr>
            <th scope="col">{words.purpose}</th>
            <th scope="col">{words.model}</th>
            <th scope="col">{words.because}</th>
          </tr>
        </thead>
        <tbody>
          {choices.map((one) => (
            <Row key={one.purpose} choices={one} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ choices: { purpose, label, model, configured, reason, refused } }: { choices: ChosenModel }) {
  const { purposes, models } = settings;
  return (
    <tr>
      <th scope="row">{purposes[purpose] ?? purpose}</th>
      <td>
        {configured ? (
          <>
            <span className={classes.model}>{model}</span>
            <span className={classes.backend}>{label}</span>
          </>
        ) : (
          <Tag>{models.offline}</Tag>
        )}
      </td>
      <td className={classes.because}>
        {reason} {refused !== "" && <Tag tone="warn">{models.refused[refused] ?? refused}</Tag>}
      </td>
    </tr>
  );
}
