/** The live state of conversations for components: one socket, one view each, and old answers fetched anew. */

import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { keys } from "@/api/keys";
import { seen, type View } from "./reducer";
import { type Connection, LiveSocket, socketUrl } from "./socket";
import { touched, touchedByAll } from "./touched";
import type { Frame } from "./types";

const Socket = createContext<LiveSocket | null>(null);

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [socket] = useState(
    () => new LiveSocket(socketUrl, () => void client.invalidateQueries({ queryKey: keys.me })),
  );
  useEffect(() => {
    socket.start();
    const deaf = socket.hear((frame) => {
      if (frame.type === "event") invalidate(client, frame);
    });
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
      const isAnew = frame.type === "snapshot" && before !== null;
      if (isAnew || frame.type === "revoked") invalidateAll(client, id);
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

function invalidate(client: QueryClient, frame: Frame): void {
  if (frame.type !== "event") return;
  for (const queryKey of touched(frame)) void client.invalidateQueries({ queryKey });
}

function invalidateAll(client: QueryClient, id: string): void {
  for (const queryKey of touchedByAll(id)) void client.invalidateQueries({ queryKey });
}
