/** Keyboard navigation by the ARIA tree pattern: arrows, Home, End, Enter and type-ahead. */

export interface TreeActions {
  open: (item: HTMLElement) => void;
  setOpen: (uri: string, open: boolean) => void;
}

const ITEM = '[role="treeitem"]';

export function handleTreeKey(event: React.KeyboardEvent<HTMLElement>, actions: TreeActions): void {
  const item = event.target instanceof Element ? event.target.closest<HTMLElement>(ITEM) : null;
  if (item === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
  const done =
    event.key === "Enter" || event.key === " "
      ? (actions.open(item), true)
      : toggleByKey(event.key, item, actions.setOpen) || moveFocus(event.key, item, items);
  if (done) event.preventDefault();
}

/** Right opens, left closes. */
function toggleByKey(key: string, item: HTMLElement, setOpen: TreeActions["setOpen"]): boolean {
  const { uri = "" } = item.dataset;
  const expanded = item.getAttribute("aria-expanded");
  const shouldOpen = key === "ArrowRight" && expanded === "false";
  if (!shouldOpen && !(key === "ArrowLeft" && expanded === "true")) return false;
  setOpen(uri, shouldOpen);
  return true;
}

function moveFocus(key: string, item: HTMLElement, items: HTMLElement[]): boolean {
  const at = items.indexOf(item);
  const next = items[at + 1];
  const targets: Record<string, HTMLElement | undefined> = {
    ArrowDown: next,
    ArrowUp: items[at - 1],
    Home: items[0],
    End: items.at(-1),
    ArrowRight: next && levelOf(next) > levelOf(item) ? next : undefined,
    ArrowLeft: items.slice(0, at).findLast((one) => levelOf(one) < levelOf(item)),
  };
  const target = key in targets ? targets[key] : nextStartingWith(key, at, items);
  target?.focus();
  return key in targets || target !== undefined;
}

function levelOf(item: HTMLElement): number {
  return Number(item.getAttribute("aria-level"));
}

/** The next item whose name starts with the letter. */
function nextStartingWith(key: string, at: number, items: HTMLElement[]): HTMLElement | undefined {
  if (Array.from(key).length !== 1) return undefined;
  const candidates = [...items.slice(at + 1), ...items.slice(0, at)];
  return candidates.find(({ dataset: { name = "" } }) => name.toLowerCase().startsWith(key.toLowerCase()));
}
