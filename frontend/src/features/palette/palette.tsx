/** The command palette: search and commands. */

import { Modal } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Search } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { isProblem } from "@/api/problems";
import { isSearchable, MAX_QUERY_LENGTH } from "@/api/search";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { palette } from "@/texts/palette";
import { matchingItems, type Item, type ItemGroup } from "./items";
import classes from "./palette.module.css";
import { optionId, Results } from "./results";
import { useCommands } from "./use-commands";
import { useSearchResults, useRecent } from "./use-search-results";

const DEBOUNCE_MS = 150;
const LIST = "palette-results";
// A `className` on Modal.Content would also style the wrapper that centers the dialog.
const CLASS_NAMES = {
  inner: classes.inner ?? "",
  content: classes.content ?? "",
  body: classes.body ?? "",
};

interface Props {
  open: boolean;
  onClose: () => void;
}

export default function Palette({ open, onClose }: Props) {
  return (
    <Modal.Root
      opened={open}
      onClose={onClose}
      centered={false}
      padding={0}
      size={640}
      classNames={CLASS_NAMES}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={palette.title}>
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
  const [debounced] = useDebouncedValue(query, DEBOUNCE_MS);
  const commands = matchingItems(useCommands(), query);
  const recent = useRecent(query === "");
  const results = useSearchResults(query === "" ? "" : debounced);
  const groups = shownGroups([...recent, { name: palette.commands, items: commands }, ...results.groups]);
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
        onKey={(key) => handleKey(key, { items, at, setActive, run })}
      />
      <Results
        groups={groups}
        active={items[at]}
        listId={LIST}
        onPoint={(item) => setActive(items.indexOf(item))}
        onRun={run}
      />
      <SearchStatus
        query={query}
        resultCount={items.length}
        error={results.error}
        searching={results.searching || debounced !== query}
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
        aria-label={palette.hint}
        placeholder={palette.hint}
        maxLength={MAX_QUERY_LENGTH}
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
  resultCount: number;
  error: Error | null;
  searching: boolean;
}

/** The state of the search, shown with its results. */
function SearchStatus({ query, resultCount, error, searching }: OutcomeProps) {
  if (error !== null) {
    const words = isProblem(error, "search_too_slow") ? palette.slow : palette.failed;
    return (
      <div className={classes.outcome}>
        <InlineAlert tone="warn" role="alert">
          {words}
        </InlineAlert>
      </div>
    );
  }
  const noResults = resultCount === 0 && !searching;
  return (
    <div className={noResults ? classes.nothing : classes.unseen} role="status">
      {searching && palette.searching}
      {!searching && resultCount > 0 && query !== "" && palette.found(resultCount)}
      {noResults && (
        <>
          <strong>{palette.nothing(query)}</strong>
          <p>{isSearchable(query) ? palette.searched : palette.tooShort}</p>
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

function handleKey(event: KeyboardEvent, { items, at, setActive, run }: Keyboard): void {
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
