/** One item of the tree and, while it is open, what lies below it. */

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
  const { opened, current, onReach } = useTree();
  const navigate = useNavigate();
  const isOpen = isDirectory && opened.has(uri);
  const open = () => {
    if (isDirectory && !isOpen) opened.turn(uri, true);
    onReach(key);
    void navigate(isDirectory || line?.id == null ? folderPath(uri) : nodePath(line.id));
  };
  return (
    <>
      <Line
        name={key}
        level={level}
        text={name}
        isSelected={current === key}
        onOpen={open}
        {...(isDirectory && { uri, isOpen })}
      >
        <Row item={item} isOpen={isOpen} />
      </Line>
      {isOpen && <Below uri={uri} level={level + 1} />}
    </>
  );
}

interface LineProps {
  /** By which it is found again. */
  name: string;
  level: number;
  text: string;
  isSelected?: boolean;
  /** Of what opens and closes. */
  uri?: string;
  isOpen?: boolean;
  onOpen?: () => void;
  children: ReactNode;
}

/** What is below an item stands behind it, one level deeper. */
function Line({ name, level, text, isSelected = false, uri, isOpen, onOpen, children }: LineProps) {
  const { onReach } = useTree();
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- The tree around it hears its keys.
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
      onFocus={() => onReach(name)}
      onClick={onOpen}
    >
      {children}
    </div>
  );
}

function Row({ item, isOpen }: { item: TreeItem; isOpen: boolean }) {
  const { uri, name, isDirectory, count: many, line, isPrivate } = item;
  const { opened } = useTree();
  const Icon = isDirectory ? (isOpen ? FolderOpen : Folder) : FileText;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const isArchived = line != null && line.archived_at !== null;
  const turn = (event: MouseEvent) => {
    event.stopPropagation();
    opened.turn(uri, !isOpen);
  };
  return (
    <>
      {isDirectory ? (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- The same by the arrow keys.
        <span className={classes.turn} data-turn onClick={turn}>
          <Chevron {...ICON} size={14} />
        </span>
      ) : (
        <span className={classes.turn} />
      )}
      <Icon {...ICON} className={classes.icon} />
      <span className={classes.name} data-leaf={!isDirectory} data-archived={isArchived} title={uri}>
        {name}
      </span>{" "}
      {isPrivate && <Lock {...ICON} size={12} className={classes.aside} />}
      {isPrivate && <VisuallyHidden>{words.isPrivate}</VisuallyHidden>}
      {isArchived && <VisuallyHidden>{memory.node.archived}</VisuallyHidden>}
      {isDirectory && many !== null && (
        <span className={classes.aside}>
          {count(many)} <VisuallyHidden>{words.inIt(many)}</VisuallyHidden>
        </span>
      )}
    </>
  );
}

function Below({ uri, level }: { uri: string; level: number }) {
  const categories = useCategories();
  const { archived } = useTree();
  const found = useInfiniteQuery(treeQuery(uri, archived));
  const items = itemsOf(categories, uri, found.data?.pages.flatMap((page) => page.data) ?? []);
  const isEmpty = found.data !== undefined && items.length === 0;
  const said = isEmpty ? words.empty : found.isPending && items.length === 0 ? words.loading : null;
  return (
    <>
      {items.map((item) => (
        <Branch key={item.key} item={item} level={level} />
      ))}
      {said !== null && <Told level={level} text={said} name={`${uri}#said`} />}
      {found.isError && (
        <Told level={level} text={words.failed} name={`${uri}#failed`} onDo={() => void found.refetch()} />
      )}
      {found.hasNextPage && (
        <Told level={level} text={words.more} name={`${uri}#more`} onDo={() => void found.fetchNextPage()} />
      )}
    </>
  );
}

interface ToldProps {
  level: number;
  text: string;
  name: string;
  onDo?: () => void;
}

/** A line that is no memory: that there is none, or the way to more. */
function Told({ level, text, name, onDo }: ToldProps) {
  return (
    <Line name={name} level={level} text={text} {...(onDo && { onOpen: onDo })}>
      <span className={classes.turn} />
      <span className={classes.told} data-deed={onDo !== undefined}>
        {text}
      </span>
    </Line>
  );
}
