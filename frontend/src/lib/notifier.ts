/** A minimal observable for small stores: subscribers for `useSyncExternalStore`, and a function that notifies them. */

export interface Notifier<Args extends unknown[]> {
  subscribe: (subscriber: (...args: Args) => void) => () => void;
  notify: (...args: Args) => void;
}

export function createNotifier<Args extends unknown[] = []>(): Notifier<Args> {
  const subscribers = new Set<(...args: Args) => void>();
  return {
    subscribe: (subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    notify: (...args) => {
      for (const subscriber of subscribers) subscriber(...args);
    },
  };
}
