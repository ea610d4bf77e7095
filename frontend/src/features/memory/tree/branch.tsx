/** One item of the tree and, if it is open, its children. */

import { VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, FileText, Folder, FolderOpen, Lock } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router";
import { treeQuery } from "@/api/tree";
import { count } from "@/lib/format";
import { memory } from "@/texts/memory";
import { useCategories } from "../categories";
import { folderPath, nodePath } from "../routes";
import { itemsOf, type TreeItem } from "./items";
import classes from "./tree.module.css";
import { useTabIndex, useTree } from "./tree-context";

const words = memory.tree;
const ICON = { "size": 16, "strokeWidth": 1.75, "aria-hidden": true } as const;

interface Props {
  item: TreeItem;
  level: number;
}

export function Branch({ item, level }: Props) {
  const { key, uri, name, isDirectory, line } = item;
  const { opened, current, setTabStop } = useTree();
  const navigate = useNavigate();
  const isOpen = isDirectory && opened.has(uri);
  const open = () => {
    if (isDirectory && !isOpen) opened.toggle(uri, true);
    setTabStop(key);
    void navigate(isDirectory || line?.id == null ? folderPath(uri) : nodePath(line.id));
  };
  return (
    <>
      <TreeItemLine
        name={key}
        level={level}
        text={name}
        isSelected={current === key}
        onOpen={open}
        {...(isDirectory && { uri, isOpen })}
      >
        <Row item={item} isOpen={isOpen} />
      </TreeItemLine>
      {isOpen && <Children uri={uri} level={level + 1} />}
    </>
  );
}

interface LineProps {
  /** The key of the item. */
  name: string;
  level: number;
  text: string;
  isSelected?: boolean;
  /** Only for items that can be opened. */
  uri?: string;
  isOpen?: boolean;
  onOpen?: () => void;
  children: ReactNode;
}

/** Children are siblings in the DOM, one level deeper. */
function TreeItemLine({ name, level, text, isSelected = false, uri, isOpen, onOpen, children }: LineProps) {
  const { setTabStop } = useTree();
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- The tree handles the keys.
    <div
      role="treeitem"
      className={classes.row}
      style={{ paddingInlineStart: `${(level - 1) * 16 + 4}px` }}
      aria-level={level}
      aria-selected={isSelected}
      {...(isOpen !== undefined && { "aria-expanded": isOpen })}
      {...(onOpen === undefined && { "aria-disabled": true })}
      tabIndex={useTabIndex(name)}
      data-uri={uri}
      data-name={text}
      onFocus={() => setTabStop(name)}
      onClick={onOpen}
    >
      {children}
    </div>
  );
}

function Row({ item, isOpen }: { item: TreeItem; isOpen: boolean }) {
  const { uri, name, isDirectory, count: childCount, line, isPrivate } = item;
  const { opened } = useTree();
  const Icon = isDirectory ? (isOpen ? FolderOpen : Folder) : FileText;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const isArchived = line != null && line.archived_at !== null;
  const isPast = line?.valid_to != null && new Date(line.valid_to) <= new Date();
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    opened.toggle(uri, !isOpen);
  };
  return (
    <>
      {isDirectory ? (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The arrow keys do the same.
        <span className={classes.turn} data-turn onClick={toggle}>
          <Chevron {...ICON} size={14} />
        </span>
      ) : (
        <span className={classes.turn} />
      )}
      <Icon {...ICON} className={classes.icon} />
      <span
        className={classes.name}
        data-leaf={!isDirectory}
        data-archived={isArchived || isPast}
        title={uri}
      >
        {name}
      </span>{" "}
      {isPrivate && <Lock {...ICON} size={12} className={classes.aside} />}
      {isPrivate && <VisuallyHidden>{words.isPrivate}</VisuallyHidden>}
      {isArchived && <VisuallyHidden>{memory.node.archived}</VisuallyHidden>}
      {isPast && <VisuallyHidden>{memory.node.superseded}</VisuallyHidden>}
      {isDirectory && childCount !== null && (
        <span className={classes.aside}>
          {count(childCount)} <VisuallyHidden>{words.inIt(childCount)}</VisuallyHidden>
        </span>
      )}
    </>
  );
}

function Children({ uri, level }: { uri: string; level: number }) {
  const categories = useCategories();
  const { archived } = useTree();
  const query = useInfiniteQuery(treeQuery(uri, archived));
  const items = itemsOf(
    categories,
    uri,
    query.data?.pages.flatMap((page) => page.data),
  );
  const isEmpty = query.data !== undefined && items.length === 0;
  const isAway = query.fetchStatus === "paused";
  const notice = isEmpty
    ? words.empty
    : query.isPending && (isAway || items.length === 0)
      ? isAway
        ? words.offline
        : words.loading
      : null;
  return (
    <>
      {items.map((item) => (
        <Branch key={item.key} item={item} level={level} />
      ))}
      {notice !== null && <NoticeLine level={level} text={notice} name={`${uri}#said`} />}
      {query.isError && (
        <NoticeLine
          level={level}
          text={words.failed}
          name={`${uri}#failed`}
          onAction={() => void query.refetch()}
        />
      )}
      {query.hasNextPage && (
        <NoticeLine
          level={level}
          text={words.more}
          name={`${uri}#more`}
          onAction={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}

interface NoticeLineProps {
  level: number;
  text: string;
  name: string;
  onAction?: () => void;
}

/** A line that is not a memory: an empty directory, an error, or a link to more. */
function NoticeLine({ level, text, name, onAction }: NoticeLineProps) {
  return (
    <TreeItemLine name={name} level={level} text={text} {...(onAction && { onOpen: onAction })}>
      <span className={classes.turn} />
      <span className={classes.told} data-deed={onAction !== undefined}>
        {text}
      </span>
    </TreeItemLine>
  );
}
