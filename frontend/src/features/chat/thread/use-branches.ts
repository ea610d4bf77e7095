/** Where other chats diverge from this one, by message. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { branchesQuery, type BranchPoint } from "@/api/branches";

/** The branches at a message, of which this chat is the one at `position`. */
export interface Branches extends BranchPoint {
  position: number;
}

export type BranchesAt = (index: number) => Branches | undefined;

export function useBranches(id: string, count: number): BranchesAt {
  const { data } = useQuery(branchesQuery(id));
  return useMemo(() => {
    const byMessage = new Map(data?.points.map((point) => [shownAt(point, count), branchesOf(point, id)]));
    return (index) => byMessage.get(index);
  }, [data, id, count]);
}

/** A fork in which nothing was written yet ends with the last shared message. */
function shownAt({ index }: BranchPoint, count: number): number {
  return Math.min(index, count - 1);
}

function branchesOf(point: BranchPoint, id: string): Branches {
  return { ...point, position: point.conversation_ids.indexOf(id) };
}
