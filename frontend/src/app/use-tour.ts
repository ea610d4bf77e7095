/** When the tour runs: automatically on a user's first visit of the demo conversation, later on demand. */

import { useState } from "react";
import { useNavigate } from "react-router";
import { useDemoConversation } from "@/components/hooks/use-demo-conversation";
import { writeStored, readStored } from "@/lib/local-storage";

export function useTour(userId: string, conversationId: string | undefined) {
  const doneKey = `tour-done:${userId}`;
  const { sample } = useDemoConversation();
  const navigate = useNavigate();
  const [done, setDone] = useState(() => readStored(doneKey, false));
  const sampleId = sample?.id;
  const start = () => {
    setDone(false);
    void navigate(`/c/${sampleId ?? ""}`);
  };
  /** Until the next reload. */
  const hide = () => setDone(true);
  const end = () => {
    hide();
    writeStored(doneKey, true);
  };
  const isOn = !done && sampleId !== undefined && conversationId === sampleId;
  return { isOn, start, hide, end, isOffered: sampleId !== undefined };
}
