/** Server-sent events read from a fetch, so that they can come from a POST and be given up. */

export interface ServerEvent {
  name: string;
  data: unknown;
}

/** The server says something at least every 15 seconds; a proxy may keep a connection open behind which nobody is. */
const SILENCE_MS = 40_000;

export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await heard(reader.read());
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) yield* eventIn(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function heard<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error("the stream fell silent")), SILENCE_MS);
  });
  return Promise.race([read, silence]).finally(() => clearTimeout(timer));
}

function* eventIn(block: string): Generator<ServerEvent> {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  if (data.length > 0) yield { name, data: JSON.parse(data.join("\n")) };
}
