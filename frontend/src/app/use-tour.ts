/** When the tour runs: on an account's first visit of the demo conversation, later on demand. */

import { useState } from "react";
import { useNavigate } from "react-router";
import { type Me, useFinishTour } from "@/api/session";
import { useDemoConversation } from "@/components/hooks/use-demo-conversation";

export function useTour({ user }: Me, conversationId: string | undefined) {
  const { sample } = useDemoConversation();
  const navigate = useNavigate();
  const { mutate: finish } = useFinishTour();
  const [isDone, setDone] = useState(user.tour_done);
  const sampleId = sample?.id;
  const start = () => {
    setDone(false);
    void navigate(`/c/${sampleId ?? ""}`);
  };
  /** Until the next reload. */
  const hide = () => setDone(true);
  const end = () => {
    hide();
    if (!user.tour_done) finish();
  };
  const isOn = !isDone && sampleId !== undefined && conversationId === sampleId;
  return { isOn, start, hide, end, isOffered: sampleId !== undefined };
}
