/** A fixed directory, which is there though nothing may be kept in it. */

import { useShell } from "@/components/hooks/shell-context";
import { titleOf } from "../address";
import { aboutOf, useCategories } from "../categories";
import { mayWrite } from "../permissions";
import shared from "../shared.module.css";
import { Breadcrumbs } from "./breadcrumbs";
import { Children } from "./children";
import { Filling } from "./actions";
import classes from "./node.module.css";

export function BareFolder({ uri }: { uri: string }) {
  const { me } = useShell();
  const about = aboutOf(useCategories(), uri);
  return (
    <article className={classes.body}>
      <Breadcrumbs uri={uri} />
      <h1>{titleOf(uri)}</h1>
      {about !== "" && <p className={classes.lead}>{about}</p>}
      <Children uri={uri} />
      {mayWrite(me) && (
        <div className={shared.actions}>
          <Filling uri={uri} />
        </div>
      )}
    </article>
  );
}
