/** Says that the connection is away, after a moment in which it mostly comes back by itself. */

import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { TextButton } from "@/components/ui/text-button";
import { useShell } from "@/components/hooks/shell-context";
import { useConnection, useReconnect } from "@/events/live";
import type { Waiting } from "@/lib/outbox";
import { texts } from "@/texts";
import classes from "./banner.module.css";
import { NextTry } from "./message/retry-countdown";
import { hastenAll } from "./sending/outbox-worker";

const SAID_AFTER_MS = 1000;

export function Banner({ waiting }: { waiting: readonly Waiting[] }) {
  const { me } = useShell();
  const isAway = useConnection() === "away";
  const reconnect = useReconnect();
  const tryNow = () => {
    reconnect();
    hastenAll(me, ["connection", "busy", "session"]);
  };
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(() => setLong(true), SAID_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isAway]);
  return (
    <div role="status">
      {isAway && isLong && (
        <div className={classes.banner}>
          <WifiOff size={16} strokeWidth={1.75} aria-hidden="true" />
          <p>
            <strong>{texts.chat.offlineTitle}</strong> {texts.chat.offlineDetail}
          </p>
          <NextTry waiting={waiting} />
          <TextButton onClick={tryNow}>{texts.chat.tryNow}</TextButton>
        </div>
      )}
    </div>
  );
}
