/** The sources of a memory: messages, other memories, imports and people. */

import {
  CircleDot,
  Download,
  FileText,
  type LucideIcon,
  MessageSquare,
  SquareTerminal,
  UserRound,
} from "lucide-react";
import { Link } from "react-router";
import type { MemorySource } from "@/api/memories";
import { useShell } from "@/components/hooks/shell-context";
import { memory } from "@/texts/memory";
import { messageNumber } from "@/texts/message-number";
import { nodePath } from "../routes";
import shared from "../shared.module.css";
import classes from "./node.module.css";

const words = memory.sources;
const ICONS: Record<string, LucideIcon> = {
  message: MessageSquare,
  hook: SquareTerminal,
  import: Download,
  node: FileText,
  person: UserRound,
};

export function Sources({ sources }: { sources: readonly MemorySource[] }) {
  return (
    <section className={shared.part}>
      <h2>{words.title}</h2>
      {sources.length === 0 && <p className={shared.told}>{words.none}</p>}
      <ul className={classes.sources}>
        {sources.map((source) => (
          <li key={`${source.kind}/${source.reference}`}>
            <Source source={source} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Source({ source }: { source: MemorySource }) {
  const { me } = useShell();
  const { kind, reference } = source;
  const Icon = ICONS[kind] ?? CircleDot;
  const isYou = kind === "person" && reference === me.user.id;
  const label = isYou ? words.you : (words.kinds[kind] ?? kind);
  const to = linkTo(source);
  const hasName = kind === "import" || kind === "hook";
  return (
    <>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {to === null ? <span>{label}</span> : <Link to={to}>{label}</Link>}
      {source.index != null && <span className={shared.address}>#{messageNumber(source.index)}</span>}
      {source.quote && <Quote source={source} />}
      {hasName && <span className={shared.address}>{reference}</span>}
    </>
  );
}

/** The beginning of the message, its author and its chat. */
function Quote({ source: { quote, name, role, conversation_title: chat } }: { source: MemorySource }) {
  const author = name === "" || name == null ? (memory.find.roles[role ?? ""] ?? "") : name;
  return (
    <blockquote className={classes.quote}>
      <p>{quote}</p>
      <footer>{memory.find.from(author, chat ?? "")}</footer>
    </blockquote>
  );
}

function linkTo({ kind, reference, conversation_id, index }: MemorySource): string | null {
  if (kind === "node") return nodePath(reference);
  if (kind === "message" && conversation_id) {
    return `/c/${conversation_id}${index == null ? "" : `?m=${index}`}`;
  }
  return null;
}
