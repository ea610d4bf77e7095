/** Tokens of the pack: counted if a tokenizer's vocabulary counted them, otherwise estimated. */

import { useQuery } from "@tanstack/react-query";
import { contextQuery } from "@/api/context";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { ESTIMATORS } from "@/texts/drawer-pack";
import { useDrawer } from "./drawer-context";

export function PackTokens({ value }: { value: number }) {
  const { id } = useDrawer();
  const { data: pack } = useQuery(contextQuery(id));
  const isEstimated = pack === undefined || ESTIMATORS.has(pack.metadata.estimator.name);
  return <NumberWithSource value={value} source={isEstimated ? "estimated" : "counted"} />;
}
