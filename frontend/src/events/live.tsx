/** The live state of conversations for components: one socket, one view each, and old answers fetched anew. */

import { type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { moveToTop } from "@/api/conversations";
import { keys } from "@/api/keys";
import { seen, type View } from "./reducer";
import { type Connection, LiveSocket, socketUrl } from "./socket";
import { isUnder, touched } from "./invalidation";
import type { EventFrame } from "./types";

const Socket = createContext<LiveSocket | null>(null);

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [socket] = useState(
    () => new LiveSocket(socketUrl, () => void client.invalidateQueries({ queryKey: keys.me })),
  );
  useEffect(() => {
    socket.start();
    const deaf = socket.hear((frame) => invalidate(client, frame));
    return () => {
      deaf();
      socket.stop();
    };
  }, [socket, client]);
  return <Socket value={socket}>{children}</Socket>;
}

export function useConnection(): Connection {
  const socket = useSocket();
  return useSyncExternalStore(socket.watch, () => socket.connection);
}

/** The server lets a person who is signed in hear nothing, again and again. */
export function useIsRefused(): boolean {
  const socket = useSocket();
  return useSyncExternalStore(socket.watch, () => socket.isRefused);
}

/** Connects at once where the connection is away. */
export function useReconnect(): () => void {
  return useSocket().again;
}

/** What one sees of the conversation now; null until the first snapshot. */
export function useLive(id: string): View | null {
  const socket = useSocket();
  const client = useQueryClient();
  const [view, setView] = useState<{ id: string; view: View | null }>({ id, view: null });
  useEffect(() => {
    let present: View | null = null;
    return socket.subscribe(id, (frame) => {
      const before = present;
      present = seen(before, frame);
      if (frame.type === "revoked") void client.invalidateQueries({ queryKey: keys.conversation(id) });
      if (frame.type === "snapshot") invalidateBefore(client, id, socket.heardSince(id));
      if (present?.stale === true && before?.stale !== true) socket.refresh(id);
      setView({ id, view: present });
    });
  }, [socket, client, id]);
  return view.id === id ? view.view : null;
}

function useSocket(): LiveSocket {
  const socket = useContext(Socket);
  if (socket === null) throw new Error("LiveProvider is missing");
  return socket;
}

function invalidate(client: QueryClient, frame: EventFrame): void {
  if (frame.name === "MessagesStored") moveToTop(client, frame.conversation_id);
  const old = touched(frame);
  const predicate = ({ queryKey }: Query) => old.some((key) => isUnder(queryKey, key));
  const fetching = client.getQueryCache().findAll({ predicate, fetchStatus: "fetching" });
  const first = fetching.filter(({ state }) => state.data === undefined);
  void client.invalidateQueries({ predicate });
  for (const { queryKey } of first) void refetchAfterFirst(client, queryKey);
}

/** Invalidating a query's first fetch only joins it, although its response may be older than the event. */
async function refetchAfterFirst(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.refetchQueries({ queryKey, exact: true });
  // Of several events during the first fetch, one refetches.
  await client.invalidateQueries({ queryKey, exact: true, fetchStatus: "idle" });
}

/** Of what changed before, nobody was told. */
function invalidateBefore(client: QueryClient, id: string, since: number): void {
  void client.invalidateQueries({
    queryKey: keys.conversation(id),
    predicate: ({ state }) => state.dataUpdatedAt > 0 && state.dataUpdatedAt <= since,
  });
}
