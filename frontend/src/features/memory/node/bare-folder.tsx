/** A fixed directory, which is there though nothing may be kept in it. */

import { useShell } from "@/components/shell-context";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { mayWrite } from "../may";
import shared from "../shared.module.css";
import { Breadcrumbs } from "./breadcrumbs";
import { Children } from "./children";
import { Filling } from "./deeds";
import classes from "./node.module.css";

export function BareFolder({ uri }: { uri: string }) {
  const { me } = useShell();
  return (
    <article className={classes.body}>
      <Breadcrumbs uri={uri} />
      <h1>{titleOf(uri)}</h1>
      {memory.about.of[uri] !== undefined && <p className={classes.lead}>{memory.about.of[uri]}</p>}
      <Children uri={uri} />
      {mayWrite(me) && (
        <div className={shared.actions}>
          <Filling uri={uri} />
        </div>
      )}
    </article>
  );
}
