/** Open the comparison of a compaction. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { compactionQuery } from "@/api/compactions";
import { toastProblem } from "@/components/feedback/toast";
import type { DrawerPage } from "../drawer-context";

export function useOpenComparison(id: string, go: (page: DrawerPage) => void): (runId: string) => void {
  const client = useQueryClient();
  return useCallback(
    (runId) => {
      client
        .query(compactionQuery(id, runId))
        .then(({ base_version: from, version: to }) => {
          if (from !== null && to !== null) go({ name: "comparison", from, to, back: "context" });
        })
        .catch(toastProblem);
    },
    [client, id, go],
  );
}
