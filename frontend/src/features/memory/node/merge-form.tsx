/** Merge memories: choose sources, edit the merged text, and save it as one change. */

import { Button, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type MemoryNode, mergeQuery, useMergeMemories } from "@/api/memories";
import { Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { problemMessage, toast } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { FormActions, InlineForm } from "../form";
import shared from "../shared.module.css";
import { usePersistedDraft } from "../use-persisted-draft";
import { MergeChoice } from "./merge-choice";

const words = memory.merge;

interface Draft {
  chosen: readonly string[];
  /** The edited text; null while it follows from the chosen sources. */
  text: string | null;
}

const EMPTY: Draft = { chosen: [], text: null };

interface Props {
  node: MemoryNode;
  onClose: () => void;
}

export function MergeForm({ node, onClose }: Props) {
  const { draft, change, done, discard } = usePersistedDraft<Draft>(`merge/${node.id}`, EMPTY);
  const { chosen } = draft;
  const { mutateAsync, isPending, isSuccess, error: refusal } = useMergeMemories(node.id);
  // After the merge there is nothing left to preview.
  const isMerging = isPending || isSuccess;
  const preview = useQuery({ ...mergeQuery(node, chosen), enabled: chosen.length > 0 && !isMerging });
  const mergedText = preview.data?.content ?? node.content ?? "";
  const text = draft.text ?? mergedText;
  const isReady = chosen.length > 0 && preview.isSuccess && !preview.isPlaceholderData;
  const error = refusal ?? preview.error;
  const cancel = () => {
    discard(() => undefined);
    onClose();
  };
  const merge = () => {
    if (!isReady || isPending) return;
    const merged = () => {
      done();
      toast(words.merged, { tone: "ok" });
      onClose();
    };
    const body = { version: node.version, sourceIds: chosen, content: text };
    void mutateAsync(body).then(merged, () => undefined);
  };
  return (
    <InlineForm title={words.title} onSubmit={merge} onCancel={cancel}>
      <p className={shared.told}>{words.detail}</p>
      <MergeChoice node={node} chosen={chosen} onChoose={(next) => change({ chosen: next })} />
      {chosen.length > 0 && (
        <Textarea
          label={words.text}
          description={words.textIs}
          value={text}
          rows={10}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
      )}
      {draft.text !== null && draft.text !== mergedText && (
        <div>
          <TextButton onClick={() => change({ text: null })}>{words.rebuild}</TextButton>
        </div>
      )}
      {error && (
        <InlineAlert tone="bad" role="alert" code={error instanceof Problem ? error.code : ""}>
          <p>{problemMessage(error)}</p>
        </InlineAlert>
      )}
      <FormActions onCancel={cancel}>
        <Button type="submit" variant="filled" loading={isPending} disabled={!isReady}>
          {words.deed(chosen.length)}
        </Button>
      </FormActions>
    </InlineForm>
  );
}
