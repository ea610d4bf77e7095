/** Sends what waits, whichever page is open: once, in the frame of all pages. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Me } from "@/api/session";
import { useConnection } from "@/events/live";
import { hastenAll, keepSending } from "./outbox-worker";

export function useSender(me: Me): void {
  const client = useQueryClient();
  const connection = useConnection();
  useEffect(() => keepSending(client, me), [client, me]);
  useEffect(() => {
    if (connection === "open") hastenAll(me, ["connection"]);
  }, [connection, me]);
}
