/** The offline banner. It waits a moment, because most interruptions are short. */

import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { TextButton } from "@/components/ui/text-button";
import { useShell } from "@/components/hooks/shell-context";
import { useConnection, useReconnect } from "@/events/live";
import type { UnsentMessage } from "@/lib/outbox";
import { texts } from "@/texts";
import classes from "./banner.module.css";
import { RetryCountdown } from "./message/retry-countdown";
import { retryAllNow } from "./sending/outbox-worker";

const DELAY_MS = 1000;

export function OfflineBanner({ waiting }: { waiting: readonly UnsentMessage[] }) {
  const { me } = useShell();
  const isAway = useConnection() === "away";
  const reconnect = useReconnect();
  const retryNow = () => {
    reconnect();
    retryAllNow(me, ["connection", "busy", "session"]);
  };
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(() => setLong(true), DELAY_MS);
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
          <RetryCountdown waiting={waiting} />
          <TextButton onClick={retryNow}>{texts.chat.tryNow}</TextButton>
        </div>
      )}
    </div>
  );
}
