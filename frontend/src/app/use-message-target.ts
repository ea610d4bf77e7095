import { useState } from "react";
import { useLocation } from "react-router";
import type { Place } from "@/features/chat/chat";

/** The message to show: the one that the address names (`?m=34`), then whichever was asked for last. */
export function usePlace(): [Place | null, (index: number) => void] {
  const { key, search } = useLocation();
  const [state, setState] = useState<{ key: string; place: Place | null }>({ key: "", place: null });
  const next = (index: number) => ({ index, asked: (state.place?.asked ?? 0) + 1 });
  if (state.key !== key) {
    const index = indexIn(search);
    setState({ key, place: index === null ? state.place : next(index) });
  }
  return [state.place, (index) => setState({ key, place: next(index) })];
}

function indexIn(search: string): number | null {
  const named = new URLSearchParams(search).get("m");
  return named !== null && /^\d{1,9}$/.test(named) ? Number(named) : null;
}
