/** One item with its evidence, what it would replace, what it nearly repeats, its trust, and the decisions. */

import { GitCompareArrows } from "lucide-react";
import type { InboxItem } from "@/api/inbox";
import { useShell } from "@/components/hooks/shell-context";
import { Tag } from "@/components/ui/tag";
import { moment } from "@/lib/format";
import { inbox } from "@/texts/inbox";
import { memory as words } from "@/texts/memory";
import { categoryName } from "../categories";
import { Comparison } from "./comparison";
import { DecisionButtons } from "./decision-buttons";
import { EditItem } from "./edit-item";
import { Evidence } from "./evidence";
import classes from "./inbox.module.css";
import { confidenceOf, originsOf, titleOfMemory } from "./item-words";
import { MergeItem } from "./merge-item";
import { NearDuplicates } from "./near-duplicates";
import { SourceForm } from "./source-form";
import { TrustPath } from "./trust-path";
import type { Decisions } from "./use-decisions";
import type { Form } from "./use-inbox-keys";

interface Props {
  item: InboxItem;
  position: string;
  decisions: Decisions;
  canDecide: boolean;
  form: Form | null;
  onOpen: (form: Form | null) => void;
  onLater: () => void;
}

export function ItemDetail({ item, position, decisions, canDecide, form, onOpen, onLater }: Props) {
  const { memory } = item;
  const title = titleOfMemory(memory);
  const close = () => onOpen(null);
  return (
    <article className={classes.item} aria-label={title}>
      <p className={classes.where}>
        <span>{position}</span> <span className={classes.address}>{memory.uri}</span>
        <time dateTime={item.created_at}>{moment(item.created_at)}</time>
      </p>
      <h2>{title}</h2>
      <Tags item={item} />
      {title !== memory.content && <p className={classes.content}>{memory.content}</p>}
      <Evidence
        quotes={memory.quotes}
        sources={memory.sources}
        onSource={canDecide && form === null && originsOf(item).length > 0 ? () => onOpen("source") : null}
      />
      {item.replaces.length > 0 && <Comparison item={item} />}
      {item.near_duplicates.length > 0 && <NearDuplicates item={item} />}
      <TrustPath item={item} />
      {canDecide && form === null && (
        <DecisionButtons item={item} decisions={decisions} onOpen={onOpen} onLater={onLater} />
      )}
      {form === "edit" && <EditItem item={item} onSettled={decisions.settled} onClose={close} />}
      {form === "merge" && <MergeItem item={item} onSettled={decisions.settled} onClose={close} />}
      {form === "source" && <SourceForm item={item} decisions={decisions} onClose={close} />}
    </article>
  );
}

function Tags({ item }: { item: InboxItem }) {
  const { me } = useShell();
  const { memory, replaces } = item;
  const confidence = confidenceOf(item);
  const [quote] = memory.quotes;
  const { shared, own } = words.node;
  return (
    <p className={classes.tags}>
      <Tag>{categoryName(memory.category)}</Tag>
      <Tag>{memory.shared ? shared(me.workspace?.name ?? "") : own}</Tag>
      {replaces.length > 0 && (
        <Tag tone="warn">
          <GitCompareArrows size={14} strokeWidth={1.75} aria-hidden="true" />
          {item.kind === "proposal" ? inbox.conflicts(replaces.length) : inbox.contradiction}
        </Tag>
      )}
      {confidence !== null && <Tag>{inbox.confidence(confidence)}</Tag>}
      {quote !== undefined && quote.extractor !== "" && (
        <span className={classes.hint}>{inbox.foundBy(quote.extractor, quote.rule)}</span>
      )}
    </p>
  );
}
