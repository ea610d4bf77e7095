import { QueryClient, QueryClientProvider, QueryObserver, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { conversationsQuery } from "@/api/conversations";
import { keys } from "@/api/keys";
import { fakeSockets, FakeSocket, InLive, openSocket } from "@/testing/live";
import { chat, page } from "@/testing/samples";
import histories from "./fixtures/histories.json";
import { useLive } from "./live";

const state = histories[0]?.snapshots[0]?.state;
const STALE_MS = 30_000;
let client: QueryClient;

beforeEach(() => {
  fakeSockets();
  client = new QueryClient({ defaultOptions: { queries: { staleTime: STALE_MS } } });
});

function says(frame: object) {
  act(() => FakeSocket.newest?.onmessage?.({ data: JSON.stringify(frame) }));
}

function snapshot(id: string) {
  says({ type: "snapshot", conversation_id: id, version: 1, state });
}

function Chat({ id, fetched }: { id: string; fetched: () => string | Promise<string> }) {
  useLive(id);
  const { data } = useQuery({ queryKey: keys.summary(id), queryFn: fetched });
  return <p>{data}</p>;
}

function open(id: string | null, fetched: () => string | Promise<string>) {
  return (
    <QueryClientProvider client={client}>
      <InLive>{id !== null && <Chat key={id} id={id} fetched={fetched} />}</InLive>
    </QueryClientProvider>
  );
}

async function later() {
  await act(() => new Promise((done) => setTimeout(done, 10)));
}

test("who comes back to a chat sees what happened there meanwhile", async () => {
  const fetched = vi.fn(() => "old");
  const { rerender } = render(open("a", fetched));
  openSocket();
  snapshot("a");
  await screen.findByText("old");
  rerender(open(null, fetched));
  fetched.mockReturnValue("new");
  await later();
  rerender(open("a", fetched));
  expect(screen.getByText("old")).toBeTruthy();
  snapshot("a");
  expect(await screen.findByText("new")).toBeTruthy();
});

test("what was fetched before anybody listened is fetched again", async () => {
  const fetched = vi.fn(() => "old");
  render(open("a", fetched));
  await screen.findByText("old");
  fetched.mockReturnValue("new");
  await later();
  openSocket();
  snapshot("a");
  expect(await screen.findByText("new")).toBeTruthy();
});

test("what was fetched while one listened already is not fetched twice", async () => {
  const fetched = vi.fn(async () => {
    await later();
    return "new";
  });
  const { rerender } = render(open(null, fetched));
  openSocket();
  rerender(open("a", fetched));
  await screen.findByText("new");
  snapshot("a");
  await later();
  expect(fetched).toHaveBeenCalledOnce();
});

test("an event during the first fetch is followed by a second one", async () => {
  let answer: (text: string) => void = () => undefined;
  const first = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const fetched = vi.fn(() => Promise.resolve("new")).mockReturnValueOnce(first);
  const { rerender } = render(open(null, fetched));
  openSocket();
  rerender(open("a", fetched));
  for (const version of [2, 3])
    says({ type: "event", name: "SummaryChanged", conversation_id: "a", version, data: {} });
  expect(fetched).toHaveBeenCalledOnce();
  answer("old");
  expect(await screen.findByText("new")).toBeTruthy();
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("a burst of events during a request leads to one more request, and aborts none", async () => {
  const signals: AbortSignal[] = [];
  const answers: (() => void)[] = [];
  const fetched = vi.fn(
    ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((resolve) => {
        signals.push(signal);
        answers.push(() => resolve(`answer ${answers.length}`));
      }),
  );
  render(open(null, () => ""));
  openSocket();
  client.setQueryData(keys.page("a", 0), "old");
  const observer = new QueryObserver(client, {
    queryKey: keys.page("a", 0),
    queryFn: fetched,
    staleTime: STALE_MS,
  });
  const stop = observer.subscribe(() => undefined);
  for (const name of ["TurnStarted", "MessageUpdated", "MessageUpdated"]) reports(name);
  await waitFor(() => expect(fetched).toHaveBeenCalledOnce());
  for (const name of ["MessageUpdated", "TurnFinished"]) reports(name);
  await waitFor(() => expect(client.getQueryState(keys.page("a", 0))?.isInvalidated).toBe(true));
  answers[0]?.();
  await waitFor(() => expect(fetched).toHaveBeenCalledTimes(2));
  answers[1]?.();
  await waitFor(() => expect(client.getQueryData(keys.page("a", 0))).toBe("answer 2"));
  stop();
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(signals.some(({ aborted }) => aborted)).toBe(false);
});

function reports(name: string) {
  says({ type: "event", name, conversation_id: "a", version: 2, data: { messages: [{ index: 0 }] } });
}

test("the chat in which something is said moves to the top of the list at once", async () => {
  client.setQueryData(conversationsQuery().queryKey, {
    pages: [page([chat("a"), chat("b")], "more"), page([chat("c")])],
    pageParams: ["", "more"],
  });
  render(open(null, () => ""));
  openSocket();
  const data = { first_index: 0, last_index: 0, messages: [] };
  says({ type: "event", name: "MessagesStored", conversation_id: "c", version: 2, data });
  await waitFor(() => {
    const { pages } = client.getQueryData(conversationsQuery().queryKey) ?? { pages: [] };
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([["c", "a", "b"], []]);
  });
});
