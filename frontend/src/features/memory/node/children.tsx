/** What lies right below a directory, a line each. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FileText, Folder } from "lucide-react";
import { Link } from "react-router";
import { treeQuery } from "@/api/tree";
import { Loading } from "@/components/feedback/loading";
import { count } from "@/lib/format";
import { memory } from "@/texts/memory";
import { NotLoaded } from "../query-boundary";
import { aboutOf, useCategories } from "../categories";
import { folderPath, pathOf } from "../routes";
import { itemsOf, type TreeItem } from "../tree/items";
import classes from "./children.module.css";

const ICON = { "size": 16, "strokeWidth": 1.75, "aria-hidden": true } as const;

export function Children({ uri }: { uri: string }) {
  const categories = useCategories();
  const found = useInfiniteQuery(treeQuery(uri, false));
  if (found.data === undefined) {
    return found.error === null ? (
      <Loading />
    ) : (
      <NotLoaded error={found.error} onRetry={() => void found.refetch()} />
    );
  }
  const items = itemsOf(
    categories,
    uri,
    found.data.pages.flatMap((page) => page.data),
  );
  return (
    <section className={classes.children} aria-label={memory.folder.children}>
      {items.length === 0 && <p className={classes.empty}>{memory.folder.empty}</p>}
      <ul>
        {items.map((item) => (
          <Row key={item.key} item={item} />
        ))}
      </ul>
      {found.hasNextPage && (
        <div>
          <Button
            size="compact-sm"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {memory.tree.more}
          </Button>
        </div>
      )}
    </section>
  );
}

function Row({ item }: { item: TreeItem }) {
  const { uri, name, isDirectory, count: many, line } = item;
  const Icon = isDirectory ? Folder : FileText;
  const about = aboutOf(useCategories(), uri);
  const said = line?.abstract || about;
  return (
    <li className={classes.row}>
      <Link to={line === null ? folderPath(uri) : pathOf(line)}>
        <Icon {...ICON} />
        <span className={classes.name}>{name}</span>
        {isDirectory && many !== null && <span className={classes.many}>{count(many)}</span>}
      </Link>
      {said !== "" && <p>{said}</p>}
    </li>
  );
}
