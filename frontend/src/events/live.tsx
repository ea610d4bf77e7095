/** The live state of conversations for components: one socket, one view each, and old answers fetched anew. */

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { moveToTop } from "@/api/conversations";
import { keys } from "@/api/keys";
import { seen, type View } from "./reducer";
import { type Connection, LiveSocket, socketUrl } from "./socket";
import { touched } from "./invalidation";
import { refetchSoon } from "./refetch";
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
  refetchSoon(client, touched(frame));
}

/** Of what changed before, nobody was told. */
function invalidateBefore(client: QueryClient, id: string, since: number): void {
  void client.invalidateQueries({
    queryKey: keys.conversation(id),
    predicate: ({ state }) => state.dataUpdatedAt > 0 && state.dataUpdatedAt <= since,
  });
}
