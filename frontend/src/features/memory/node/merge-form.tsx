/** Merging: choose what goes in, see the text that comes of it, change it, and do it as one change. */

import { Button, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type MemoryNode, mergeQuery, useMergeMemories } from "@/api/memories";
import { Problem } from "@/api/problems";
import { Note } from "@/components/feedback/inline-alert";
import { TextButton } from "@/components/ui/text-button";
import { problemWords, toast } from "@/components/feedback/toast";
import { memory } from "@/texts/memory";
import { FormActions, PlaceForm } from "../form";
import shared from "../shared.module.css";
import { useKeptDraft } from "../use-persisted-draft";
import { MergeChoice } from "./merge-choice";

const words = memory.merge;

interface Draft {
  chosen: readonly string[];
  /** What somebody wrote over the merged text; null while it follows from the choice. */
  text: string | null;
}

const NOTHING: Draft = { chosen: [], text: null };

interface Props {
  node: MemoryNode;
  onLeave: () => void;
}

export function MergeForm({ node, onLeave }: Props) {
  const { draft, change, done, giveUp } = useKeptDraft<Draft>(`merge/${node.id}`, NOTHING);
  const { chosen } = draft;
  const { mutateAsync, isPending, isSuccess, error: refusal } = useMergeMemories(node.id);
  // Once they are merged there is nothing left to preview.
  const isMerging = isPending || isSuccess;
  const preview = useQuery({ ...mergeQuery(node, chosen), enabled: chosen.length > 0 && !isMerging });
  const proposed = preview.data?.content ?? node.content ?? "";
  const text = draft.text ?? proposed;
  const isReady = chosen.length > 0 && preview.isSuccess && !preview.isPlaceholderData;
  const error = refusal ?? preview.error;
  const leave = () => {
    giveUp(() => undefined);
    onLeave();
  };
  const merge = () => {
    if (!isReady || isPending) return;
    const merged = () => {
      done();
      toast(words.merged, { tone: "ok" });
      onLeave();
    };
    const body = { version: node.version, sourceIds: chosen, content: text };
    void mutateAsync(body).then(merged, () => undefined);
  };
  return (
    <PlaceForm title={words.title} onSend={merge} onLeave={leave}>
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
      {draft.text !== null && draft.text !== proposed && (
        <div>
          <TextButton onClick={() => change({ text: null })}>{words.anew}</TextButton>
        </div>
      )}
      {error && (
        <Note tone="bad" role="alert" code={error instanceof Problem ? error.code : ""}>
          <p>{problemWords(error)}</p>
        </Note>
      )}
      <FormActions onLeave={leave}>
        <Button type="submit" variant="filled" loading={isPending} disabled={!isReady}>
          {words.deed(chosen.length)}
        </Button>
      </FormActions>
    </PlaceForm>
  );
}
