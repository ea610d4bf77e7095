/** Loads the categories of the memory tree before anything that goes by them. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { policyQuery } from "@/api/policy";
import { Loading } from "@/components/feedback/loading";
import { NotLoaded } from "./query-boundary";
import { CategoriesContext } from "./categories";

export function WithCategories({ children }: { children: ReactNode }) {
  const { data: policy, error, refetch } = useQuery(policyQuery);
  if (policy !== undefined) {
    return <CategoriesContext value={policy.categories}>{children}</CategoriesContext>;
  }
  return error === null ? <Loading /> : <NotLoaded error={error} onRetry={() => void refetch()} />;
}
