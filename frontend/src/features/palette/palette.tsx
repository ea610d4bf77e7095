/** Everything one can do or find, by its words. */

import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Search } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { isProblem } from "@/api/problems";
import { isSearched, LONGEST_QUERY } from "@/api/search";
import { Note } from "@/components/feedback/inline-alert";
import { texts } from "@/texts";
import { fitting, type Item, type ItemGroup } from "./items";
import classes from "./palette.module.css";
import { optionId, Results } from "./results";
import { useCommands } from "./use-commands";
import { useFound, useRecent } from "./use-search-results";

const PAUSE_MS = 150;
const LIST = "palette-results";

interface Props {
  open: boolean;
  onClose: () => void;
}

export default function Palette({ open, onClose }: Props) {
  return (
    <Modal.Root opened={open} onClose={onClose} centered={false} padding={0} size={640}>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content className={classes.content} aria-label={texts.palette.title}>
        <Modal.Body>
          <Body onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Body({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const query = text.trim();
  const [asked] = useDebouncedValue(query, PAUSE_MS);
  const commands = fitting(useCommands(), query);
  const recent = useRecent(query === "");
  const found = useFound(query === "" ? "" : asked);
  const groups = shownGroups([...recent, { name: texts.palette.commands, items: commands }, ...found.groups]);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(active, items.length - 1);
  const run = (item: Item) => {
    onClose();
    item.run();
  };
  return (
    <>
      <Field
        text={text}
        activeId={items[at] && optionId(items[at])}
        onText={(typed) => {
          setText(typed);
          setActive(0);
        }}
        onKey={(key) => press(key, { items, at, setActive, run })}
      />
      <Results
        groups={groups}
        active={items[at]}
        listId={LIST}
        onPoint={(item) => setActive(items.indexOf(item))}
        onRun={run}
      />
      <Outcome
        query={query}
        many={items.length}
        error={found.error}
        searching={found.searching || asked !== query}
      />
    </>
  );
}

interface FieldProps {
  text: string;
  activeId: string | undefined;
  onText: (text: string) => void;
  onKey: (event: KeyboardEvent) => void;
}

function Field({ text, activeId, onText, onKey }: FieldProps) {
  return (
    <div className={classes.field}>
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={LIST}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        aria-label={texts.palette.hint}
        placeholder={texts.palette.hint}
        maxLength={LONGEST_QUERY}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onKey}
      />
    </div>
  );
}

interface OutcomeProps {
  query: string;
  many: number;
  error: Error | null;
  searching: boolean;
}

/** What there is to say about the search beside its results. */
function Outcome({ query, many, error, searching }: OutcomeProps) {
  if (error !== null) {
    const words = isProblem(error, "search_too_slow") ? texts.palette.slow : texts.palette.failed;
    return (
      <div className={classes.outcome}>
        <Note tone="warn" role="alert">
          {words}
        </Note>
      </div>
    );
  }
  const nothing = many === 0 && !searching;
  return (
    <div className={nothing ? classes.nothing : classes.unseen} role="status">
      {searching && texts.palette.searching}
      {!searching && many > 0 && query !== "" && texts.palette.found(many)}
      {nothing && (
        <>
          <strong>{texts.palette.nothing(query)}</strong>
          <p>{isSearched(query) ? texts.palette.searched : texts.palette.tooShort}</p>
        </>
      )}
    </div>
  );
}

interface Keyboard {
  items: Item[];
  at: number;
  setActive: (at: number) => void;
  run: (item: Item) => void;
}

function press(event: KeyboardEvent, { items, at, setActive, run }: Keyboard): void {
  const last = items.length - 1;
  const next: Record<string, number> = {
    ArrowDown: at >= last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
  };
  const to = next[event.key];
  const item = items[at];
  if (to !== undefined) setActive(to);
  else if (event.key === "Enter" && item !== undefined && !event.nativeEvent.isComposing) run(item);
  else return;
  event.preventDefault();
}

function shownGroups(groups: ItemGroup[]): ItemGroup[] {
  return groups.filter((group) => group.items.length > 0);
}
