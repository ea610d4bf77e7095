/** Preview the exclusion or inclusion of a message, then confirm it. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { exclusionPreviewQuery, type ExclusionPreview, useExclude } from "@/api/exclusions";
import { NumberWithSource } from "@/components/ui/number-with-source";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { drawerLists } from "@/texts/drawer-lists";
import { useDrawer } from "../drawer-context";
import { LoadError } from "../loading-states";
import shared from "../shared.module.css";

interface Props {
  message: { id: string; index: number };
  /** The new state. */
  excluded: boolean;
  onClose: () => void;
}

export function ExclusionChange({ message, excluded, onClose }: Props) {
  const { id } = useDrawer();
  const request = { message_ids: [message.id], excluded };
  const { data: preview, error, refetch } = useQuery(exclusionPreviewQuery(id, request));
  const { mutateAsync, isPending } = useExclude(id);
  const words = drawerLists.exclusions;
  const isIncluding = () => void mutateAsync({ ...request, excluded: !excluded }).catch(toastProblem);
  const changed = () => {
    const confirmation = excluded
      ? words.excluded(message.index, preview?.frees_tokens ?? 0)
      : words.included(message.index);
    toast(confirmation, { tone: "ok", action: { label: texts.common.undo, run: isIncluding } });
    onClose();
  };
  const change = () => void mutateAsync(request).then(changed, toastProblem);
  return (
    <div className={shared.stack} role="group" aria-live="polite">
      {error && <LoadError onRetry={() => void refetch()} />}
      {!error &&
        (preview ? (
          <PreviewText preview={preview} excluded={excluded} />
        ) : (
          <p className={shared.meta}>{words.reading}</p>
        ))}
      <div className={shared.buttons}>
        <Button size="xs" onClick={change} loading={isPending} disabled={!preview}>
          {excluded ? words.confirmExclude : words.confirmInclude}
        </Button>
        <Button size="xs" variant="subtle" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
}

function PreviewText({ preview, excluded }: { preview: ExclusionPreview; excluded: boolean }) {
  const words = drawerLists.exclusions;
  const { compacted, frees_tokens: frees = 0, summary_lines: lines = [], pins = 0 } = preview;
  return (
    <div>
      <p>
        {frees < 0 ? words.takes : words.frees}{" "}
        <NumberWithSource value={Math.abs(frees)} source="estimated" /> {words.unit}
      </p>
      {compacted.length > 0 && <p>{excluded ? words.wasFolded : words.isFoldedAgain}</p>}
      {lines.length > 0 && <p>{excluded ? words.lines(lines.length) : words.linesBack(lines.length)}</p>}
      {lines.length > 0 && (
        <ul>
          {lines.map(({ field, text }) => (
            <li key={field + text}>{text}</li>
          ))}
        </ul>
      )}
      {pins > 0 && <p>{words.pinsStay(pins)}</p>}
    </div>
  );
}
