/** The direct children of a directory. */

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FileText, Folder } from "lucide-react";
import { Link } from "react-router";
import { treeQuery } from "@/api/tree";
import { Loading } from "@/components/feedback/loading";
import { count } from "@/lib/format";
import { memory } from "@/texts/memory";
import { LoadError } from "../query-boundary";
import { purposeOf, useCategories } from "../categories";
import { folderPath, pathOf } from "../routes";
import { itemsOf, type TreeItem } from "../tree/items";
import classes from "./children.module.css";

const ICON = { "size": 16, "strokeWidth": 1.75, "aria-hidden": true } as const;

export function Children({ uri }: { uri: string }) {
  const categories = useCategories();
  const query = useInfiniteQuery(treeQuery(uri, false));
  if (query.data === undefined) {
    return query.error === null ? (
      <Loading />
    ) : (
      <LoadError error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  const items = itemsOf(
    categories,
    uri,
    query.data.pages.flatMap((page) => page.data),
  );
  return (
    <section className={classes.children} aria-label={memory.folder.children}>
      {items.length === 0 && <p className={classes.empty}>{memory.folder.empty}</p>}
      <ul>
        {items.map((item) => (
          <Row key={item.key} item={item} />
        ))}
      </ul>
      {query.hasNextPage && (
        <div>
          <Button
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {memory.tree.more}
          </Button>
        </div>
      )}
    </section>
  );
}

function Row({ item }: { item: TreeItem }) {
  const { uri, name, isDirectory, count: childCount, line } = item;
  const Icon = isDirectory ? Folder : FileText;
  const description = purposeOf(useCategories(), uri);
  const text = line?.abstract || description;
  return (
    <li className={classes.row}>
      <Link to={line === null ? folderPath(uri) : pathOf(line)}>
        <Icon {...ICON} />
        <span className={classes.name}>{name}</span>
        {isDirectory && childCount !== null && <span className={classes.many}>{count(childCount)}</span>}
      </Link>
      {text !== "" && <p>{text}</p>}
    </li>
  );
}
