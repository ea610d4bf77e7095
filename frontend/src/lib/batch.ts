/** Loading many keys in one request: those asked for at the same time are loaded together. */

type Load<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

interface Batch<Value> {
  keys: Set<string>;
  values: Promise<ReadonlyMap<string, Value>>;
}

/** A function that loads one key: `null` if its batch, of at most `most` keys, has no value for it. */
export function batched<Value>(load: Load<Value>, most: number): (key: string) => Promise<Value | null> {
  let open: Batch<Value> | null = null;
  const begin = (): Batch<Value> => {
    const keys = new Set<string>();
    const close = () => {
      if (open?.keys === keys) open = null;
      return load([...keys]);
    };
    return { keys, values: later().then(close) };
  };
  return async (key) => {
    if (open === null || open.keys.size === most) open = begin();
    open.keys.add(key);
    const { values } = open;
    return (await values).get(key) ?? null;
  };
}

const later = () => new Promise<void>((resolve) => setTimeout(resolve));
