/** The part that every small store shares: watchers for `useSyncExternalStore`, and how they are notified. */

export interface Notifier<Args extends unknown[]> {
  watch: (watcher: (...args: Args) => void) => () => void;
  notify: (...args: Args) => void;
}

export function createNotifier<Args extends unknown[] = []>(): Notifier<Args> {
  const watchers = new Set<(...args: Args) => void>();
  return {
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    notify: (...args) => {
      for (const watcher of watchers) watcher(...args);
    },
  };
}
