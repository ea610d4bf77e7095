/** A fixed directory, which is there though nothing may be kept in it. */

import { Button } from "@mantine/core";
import { Plus } from "lucide-react";
import { Link } from "react-router";
import { useShell } from "@/components/shell-context";
import { memory } from "@/texts/memory";
import { titleOf } from "../address";
import { mayWrite } from "../may";
import { newPath } from "../places";
import { Breadcrumbs } from "./breadcrumbs";
import { Children } from "./children";
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
        <div>
          <Button
            size="xs"
            component={Link}
            to={newPath(uri)}
            leftSection={<Plus size={16} strokeWidth={1.75} />}
          >
            {memory.deeds.createHere}
          </Button>
        </div>
      )}
    </article>
  );
}
