/** Load the memory categories before rendering what depends on them. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { policyQuery } from "@/api/policy";
import { Loading } from "@/components/feedback/loading";
import { LoadError } from "./query-boundary";
import { CategoriesContext } from "./categories";

export function WithCategories({ children }: { children: ReactNode }) {
  const { data: policy, error, refetch } = useQuery(policyQuery);
  if (policy !== undefined) {
    return <CategoriesContext value={policy.categories}>{children}</CategoriesContext>;
  }
  return error === null ? <Loading /> : <LoadError error={error} onRetry={() => void refetch()} />;
}
