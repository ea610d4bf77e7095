/** The keys of a tree, as every tree has them: arrows, Home, End, Enter, and the beginning of a name. */

export interface TreeDeeds {
  open: (item: HTMLElement) => void;
  turn: (uri: string, open: boolean) => void;
}

const ITEM = '[role="treeitem"]';

export function pressInTree(event: React.KeyboardEvent<HTMLElement>, deeds: TreeDeeds): void {
  const item = event.target instanceof Element ? event.target.closest<HTMLElement>(ITEM) : null;
  if (item === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
  const done =
    event.key === "Enter" || event.key === " "
      ? (deeds.open(item), true)
      : turned(event.key, item, deeds.turn) || moved(event.key, item, items);
  if (done) event.preventDefault();
}

/** Right opens, left closes. */
function turned(key: string, item: HTMLElement, turn: TreeDeeds["turn"]): boolean {
  const { uri = "" } = item.dataset;
  const expanded = item.getAttribute("aria-expanded");
  const wanted = key === "ArrowRight" && expanded === "false";
  if (!wanted && !(key === "ArrowLeft" && expanded === "true")) return false;
  turn(uri, wanted);
  return true;
}

function moved(key: string, item: HTMLElement, items: HTMLElement[]): boolean {
  const at = items.indexOf(item);
  const next = items[at + 1];
  const to: Record<string, HTMLElement | undefined> = {
    ArrowDown: next,
    ArrowUp: items[at - 1],
    Home: items[0],
    End: items.at(-1),
    ArrowRight: next && levelOf(next) > levelOf(item) ? next : undefined,
    ArrowLeft: items.slice(0, at).findLast((one) => levelOf(one) < levelOf(item)),
  };
  const chosen = key in to ? to[key] : startingWith(key, at, items);
  chosen?.focus();
  return key in to || chosen !== undefined;
}

function levelOf(item: HTMLElement): number {
  return Number(item.getAttribute("aria-level"));
}

/** The next one whose name begins with the letter. */
function startingWith(key: string, at: number, items: HTMLElement[]): HTMLElement | undefined {
  if (Array.from(key).length !== 1) return undefined;
  const round = [...items.slice(at + 1), ...items.slice(0, at)];
  return round.find(({ dataset: { name = "" } }) => name.toLowerCase().startsWith(key.toLowerCase()));
}
