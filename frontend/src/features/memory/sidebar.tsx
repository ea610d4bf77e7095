/** The left column: search box, tree, and a switch for archived memories. */

import { TextInput } from "@mantine/core";
import { FileUp, Search, UserRound } from "lucide-react";
import { type SyntheticEvent, useRef, useState } from "react";
import { Link, NavLink, useNavigate } from "react-router";
import { useShell } from "@/components/hooks/shell-context";
import { KeyCap } from "@/components/ui/key-cap";
import { writeStored, readStored } from "@/lib/local-storage";
import { importFiles } from "@/texts/import-files";
import { memory } from "@/texts/memory";
import classes from "./memory-page.module.css";
import { mayWrite } from "./permissions";
import { useCurrent } from "./node/node-page";
import { ALWAYS, findPath, IMPORT } from "./routes";
import { Tree } from "./tree/tree";
import { useSingleKeyShortcuts } from "./use-shortcuts";

const ARCHIVED = "memory-archived";
const MAX_QUERY_LENGTH = 200;

export function Sidebar({ isHome }: { isHome: boolean }) {
  const current = useCurrent();
  const { me } = useShell();
  const [archived, setArchived] = useState(() => readStored(ARCHIVED, false));
  const toggleArchived = (shown: boolean) => {
    setArchived(shown);
    writeStored(ARCHIVED, shown);
  };
  return (
    <aside className={classes.side} data-home={isHome} aria-label={memory.tree.name}>
      <SearchBox />
      <div className={classes.scroll}>
        <NavLink className={classes.always ?? ""} to={ALWAYS}>
          <UserRound size={16} strokeWidth={1.75} aria-hidden="true" /> {memory.always.title}
        </NavLink>
        {mayWrite(me) && (
          <Link className={`${classes.always} ${classes.importLine}`} to={IMPORT}>
            <FileUp size={16} strokeWidth={1.75} aria-hidden="true" /> {importFiles.title}
          </Link>
        )}
        <Tree current={current} archived={archived} />
      </div>
      <label className={classes.archived}>
        <input
          type="checkbox"
          checked={archived}
          onChange={(event) => toggleArchived(event.currentTarget.checked)}
        />
        {memory.tree.archived}
      </label>
    </aside>
  );
}

function SearchBox() {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const navigate = useNavigate();
  useSingleKeyShortcuts({ "/": () => box.current?.focus() });
  const find = (event: SyntheticEvent) => {
    event.preventDefault();
    void navigate(findPath({ q: text.trim() }));
  };
  return (
    <form className={classes.box} role="search" aria-label={memory.tree.search} onSubmit={find}>
      <TextInput
        ref={box}
        aria-label={memory.tree.search}
        placeholder={memory.tree.search}
        leftSection={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
        rightSection={<KeyCap keys="/" />}
        value={text}
        maxLength={MAX_QUERY_LENGTH}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  );
}
