import { useState } from "react";
import { useLocation } from "react-router";
import type { MessageTarget } from "@/features/chat/chat";

/** The message to scroll to: first the one in the URL (`?m=34`), then the one that was requested last. */
export function useMessageTarget(): [MessageTarget | null, (index: number) => void] {
  const { key, search } = useLocation();
  const [state, setState] = useState<{ key: string; target: MessageTarget | null }>({
    key: "",
    target: null,
  });
  const next = (index: number) => ({ index, requestId: (state.target?.requestId ?? 0) + 1 });
  if (state.key !== key) {
    const index = indexIn(search);
    setState({ key, target: index === null ? state.target : next(index) });
  }
  return [state.target, (index) => setState({ key, target: next(index) })];
}

function indexIn(search: string): number | null {
  const param = new URLSearchParams(search).get("m");
  return param !== null && /^\d{1,9}$/.test(param) ? Number(param) : null;
}
