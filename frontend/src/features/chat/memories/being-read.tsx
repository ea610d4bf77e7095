/** Below a message that was just sent: it is being read for memories. */

import { useQuery } from "@tanstack/react-query";
import { beingReadQuery } from "@/api/extraction";
import { useState } from "react";
import type { Message } from "@/api/messages";
import { remembering } from "@/texts/remembering";
import { useMessageActions } from "../actions";
import classes from "./memory-chip.module.css";

const JUST_SENT_MS = 15_000;

export function BeingRead({ message }: { message: Message }) {
  const { conversationId, may } = useMessageActions();
  const [isNew] = useState(
    () => message.role === "user" && Date.now() - Date.parse(message.created_at) < JUST_SENT_MS,
  );
  const { data: isBeingRead } = useQuery({
    ...beingReadQuery(conversationId, message.id),
    enabled: isNew && may.remember && conversationId !== "",
  });
  if (!isBeingRead) return null;
  return (
    <p className={classes.reading} role="status">
      {remembering.beingRead}
    </p>
  );
}
