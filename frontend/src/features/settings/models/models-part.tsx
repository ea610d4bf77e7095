/** Which models answer and why, what else could, and the keys by which they are asked. */

import { useQuery } from "@tanstack/react-query";
import { type Models, modelsQuery } from "@/api/models";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { settings } from "@/texts/settings";
import { Awaiting } from "../query-boundary";
import shared from "../shared.module.css";
import { Answering } from "./active-models";
import { Choice } from "./provider-form";
import { FoundRow } from "./provider-row";
import classes from "./models.module.css";

export function ModelsPart() {
  return (
    <Awaiting query={useQuery(modelsQuery)}>
      {(models) => (
        <>
          <Answering chosen={models.chosen} />
          <Choosing models={models} />
          <Found models={models} />
        </>
      )}
    </Awaiting>
  );
}

function Choosing({ models }: { models: Models }) {
  const { me } = useShell();
  const words = settings.models;
  return (
    <section className={shared.block}>
      <h2>{words.choose}</h2>
      {isAllowed(me, "manage_models") ? (
        <Choice models={models} />
      ) : (
        <p className={shared.told}>{words.mayNotChoose}</p>
      )}
    </section>
  );
}

function Found({ models: { found, local_allowed: localAllowed } }: { models: Models }) {
  const words = settings.found;
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      <ul className={classes.rows}>
        {found.map((one) => (
          <FoundRow key={one.backend} found={one} />
        ))}
      </ul>
      {!localAllowed && <p className={shared.hint}>{words.localOff}</p>}
    </section>
  );
}
