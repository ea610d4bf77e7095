/** Run the outbox worker; mounted once, in the shell. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Me } from "@/api/session";
import { useConnection } from "@/events/live";
import { retryAllNow, startOutboxWorker } from "./outbox-worker";

export function useOutboxWorker(me: Me): void {
  const client = useQueryClient();
  const connection = useConnection();
  useEffect(() => startOutboxWorker(client, me), [client, me]);
  useEffect(() => {
    if (connection === "open") retryAllNow(me, ["connection"]);
  }, [connection, me]);
}
