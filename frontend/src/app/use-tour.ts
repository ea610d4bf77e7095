/** When the tour runs: by itself on somebody's first visit of the sample, later on demand. */

import { useState } from "react";
import { useNavigate } from "react-router";
import { useSample } from "@/components/hooks/use-demo-conversation";
import { keep, kept } from "@/lib/local-storage";

export function useTour(userId: string, conversationId: string | undefined) {
  const doneName = `tour-done:${userId}`;
  const { sample } = useSample();
  const navigate = useNavigate();
  const [done, setDone] = useState(() => kept(doneName, false));
  const sampleId = sample?.id;
  const start = () => {
    setDone(false);
    void navigate(`/c/${sampleId ?? ""}`);
  };
  /** For now. */
  const leave = () => setDone(true);
  const end = () => {
    leave();
    keep(doneName, true);
  };
  const isOn = !done && sampleId !== undefined && conversationId === sampleId;
  return { isOn, start, leave, end, isOffered: sampleId !== undefined };
}
