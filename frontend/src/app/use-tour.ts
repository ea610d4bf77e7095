/** When the tour runs: by itself on the first visit of the sample, later on demand. */

import { useState } from "react";
import { useNavigate } from "react-router";
import { useSample } from "@/components/use-sample";
import { keep, kept } from "@/lib/storage";

const DONE = "tour-done";

export function useTour(conversationId: string | undefined) {
  const { sample } = useSample();
  const navigate = useNavigate();
  const [done, setDone] = useState(() => kept(DONE, false));
  const sampleId = sample?.id;
  const start = () => {
    setDone(false);
    void navigate(`/c/${sampleId ?? ""}`);
  };
  const end = () => {
    setDone(true);
    keep(DONE, true);
  };
  const isOn = !done && sampleId !== undefined && conversationId === sampleId;
  return { isOn, start: sampleId === undefined ? undefined : start, end };
}
