/** The models tab: active models, providers, and their keys. */

import { useQuery } from "@tanstack/react-query";
import { type Models, modelsQuery } from "@/api/models";
import { isAllowed } from "@/api/session";
import { useShell } from "@/components/hooks/shell-context";
import { settings } from "@/texts/settings";
import { QueryBoundary } from "../query-boundary";
import shared from "../shared.module.css";
import { ActiveModels } from "./active-models";
import { ProviderForm } from "./provider-form";
import { ProviderRow } from "./provider-row";
import classes from "./models.module.css";

export function ModelsPart() {
  return (
    <QueryBoundary query={useQuery(modelsQuery)}>
      {(models) => (
        <>
          <ActiveModels choices={models.chosen} />
          <ModelChoice models={models} />
          <Providers models={models} />
        </>
      )}
    </QueryBoundary>
  );
}

function ModelChoice({ models }: { models: Models }) {
  const { me } = useShell();
  const words = settings.models;
  return (
    <section className={shared.block}>
      <h2>{words.choose}</h2>
      {isAllowed(me, "manage_models") ? (
        <ProviderForm models={models} />
      ) : (
        <p className={shared.told}>{words.mayNotChoose}</p>
      )}
    </section>
  );
}

function Providers({ models: { providers, local_allowed: localAllowed } }: { models: Models }) {
  const words = settings.found;
  return (
    <section className={shared.block}>
      <h2>{words.title}</h2>
      <ul className={classes.rows}>
        {providers.map((one) => (
          <ProviderRow key={one.backend} provider={one} />
        ))}
      </ul>
      {!localAllowed && <p className={shared.hint}>{words.localOff}</p>}
    </section>
  );
}
