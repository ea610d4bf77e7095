/** Badges for a memory's category, visibility and trust. */

import { ShieldCheck, ShieldQuestionMark } from "lucide-react";
import type { MemoryNode } from "@/api/memories";
import { useShell } from "@/components/hooks/shell-context";
import { Tag, type TagTone } from "@/components/ui/tag";
import { memory } from "@/texts/memory";
import { categoryName } from "../categories";
import classes from "./node.module.css";

const words = memory.node;
const TONES: Record<string, TagTone> = { direct_user: "ok", model_inference: "info" };

export function Badges({ node }: { node: MemoryNode }) {
  const { me } = useShell();
  const isDirectory = node.node_type === "dir";
  return (
    <p className={classes.marks}>
      {isDirectory && <Tag>{words.directory}</Tag>}
      {node.category !== "" && <Tag>{categoryName(node.category)}</Tag>}
      <Tag>{node.owner_id === null ? words.shared(me.workspace?.name ?? "") : words.own}</Tag>
      {!isDirectory && <TrustTag trust={node.trust} />}
      {node.arrival === "proposed" && <Tag tone="warn">{words.proposed}</Tag>}
      {node.archived_at !== null && <Tag tone="warn">{words.archived}</Tag>}
      {node.tags.map((tag) => (
        <Tag key={tag}>#{tag}</Tag>
      ))}
    </p>
  );
}

export function TrustTag({ trust }: { trust: string }) {
  const tone = TONES[trust] ?? "warn";
  const Icon = tone === "warn" ? ShieldQuestionMark : ShieldCheck;
  return (
    <span title={words.trustMeans[trust]}>
      <Tag tone={tone}>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
        {words.trust(words.trusts[trust] ?? trust)}
      </Tag>
    </span>
  );
}
