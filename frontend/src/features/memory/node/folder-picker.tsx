/** Choose a folder by walking through the folders of one root. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder } from "lucide-react";
import { treeQuery } from "@/api/tree";
import { TextButton } from "@/components/ui/text-button";
import { memory } from "@/texts/memory";
import { nameOf, parentOf } from "../address";
import { useCategories } from "../categories";
import shared from "../shared.module.css";
import { itemsOf } from "../tree/items";
import classes from "./folder-picker.module.css";

const words = memory.move;
const ICON = { "size": 14, "strokeWidth": 1.75, "aria-hidden": true } as const;

interface Props {
  folder: string;
  /** A folder cannot be moved into itself. */
  moved: string;
  onChoose: (folder: string) => void;
}

export function FolderPicker({ folder, moved, onChoose }: Props) {
  const categories = useCategories();
  const query = useInfiniteQuery(treeQuery(folder, false));
  const lines = query.data?.pages.flatMap((page) => page.data) ?? [];
  const folders = itemsOf(categories, folder, lines).filter(
    ({ isDirectory, uri }) => isDirectory && uri !== moved,
  );
  const parent = parentOf(folder);
  return (
    <fieldset className={classes.picker}>
      <legend>{words.folder}</legend>
      <p className={shared.address}>{folder}</p>
      <ul>
        {parent !== null && (
          <li>
            <TextButton onClick={() => onChoose(parent)}>
              <CornerLeftUp {...ICON} /> {words.up}
            </TextButton>
          </li>
        )}
        {folders.map(({ uri }) => (
          <li key={uri}>
            <TextButton onClick={() => onChoose(uri)}>
              <Folder {...ICON} /> {nameOf(uri)}
            </TextButton>
          </li>
        ))}
        {query.hasNextPage && (
          <li>
            <TextButton onClick={() => void query.fetchNextPage()}>{memory.tree.more}</TextButton>
          </li>
        )}
      </ul>
      {query.data !== undefined && folders.length === 0 && <p className={shared.hint}>{words.noFolders}</p>}
      {query.isError && <p className={shared.hint}>{memory.notLoaded}</p>}
    </fieldset>
  );
}
