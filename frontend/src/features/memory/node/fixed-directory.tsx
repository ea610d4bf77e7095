/** A fixed directory without a row of its own. */

import { useShell } from "@/components/hooks/shell-context";
import { titleOf } from "../address";
import { purposeOf, useCategories } from "../categories";
import { mayWrite } from "../permissions";
import shared from "../shared.module.css";
import { Breadcrumbs } from "./breadcrumbs";
import { Children } from "./children";
import { AddButtons } from "./actions";
import classes from "./node.module.css";

export function FixedDirectory({ uri }: { uri: string }) {
  const { me } = useShell();
  const purpose = purposeOf(useCategories(), uri);
  return (
    <article className={classes.body}>
      <Breadcrumbs uri={uri} />
      <h1>{titleOf(uri)}</h1>
      {purpose !== "" && <p className={classes.lead}>{purpose}</p>}
      <Children uri={uri} />
      {mayWrite(me) && (
        <div className={shared.actions}>
          <AddButtons uri={uri} />
        </div>
      )}
    </article>
  );
}
