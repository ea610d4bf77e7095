import type { MemoryNode } from "@/api/memories";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";

const words = memory.node;

/** The trust level with its meaning. */
export function TrustBadge({ node: { trust } }: { node: MemoryNode }) {
  return (
    <section className={shared.part}>
      <h2>{words.trustTitle}</h2>
      <p className={shared.told}>{words.trustMeans[trust] ?? trust}</p>
      <p className={shared.hint}>{words.trustSource}</p>
    </section>
  );
}
