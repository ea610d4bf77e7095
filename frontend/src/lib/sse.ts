/** Server-sent events read from a fetch response, so that they work with POST and can be aborted. */

export interface ServerEvent {
  name: string;
  data: unknown;
}

/** The server sends something at least every 15 seconds; a proxy may hold a dead connection open. */
const IDLE_TIMEOUT_MS = 40_000;

export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await withIdleTimeout(reader.read());
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield* parseEvent(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withIdleTimeout<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error("the stream fell silent")), IDLE_TIMEOUT_MS);
  });
  return Promise.race([read, timeout]).finally(() => clearTimeout(timer));
}

function* parseEvent(block: string): Generator<ServerEvent> {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  if (data.length > 0) yield { name, data: JSON.parse(data.join("\n")) };
}
