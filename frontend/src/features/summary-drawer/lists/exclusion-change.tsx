/** What leaving a message out, or taking it in again, would do; then doing it. */

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { exclusionPreviewQuery, type ExclusionPreview, useExclude } from "@/api/exclusions";
import { Num } from "@/components/ui/number-with-source";
import { toast, toastProblem } from "@/components/feedback/toast";
import { texts } from "@/texts";
import { useDrawer } from "../drawer-context";
import { NotLoaded } from "../loading-states";
import shared from "../shared.module.css";

interface Props {
  message: { id: string; index: number };
  /** What it shall become. */
  excluded: boolean;
  onEnd: () => void;
}

export function ExclusionChange({ message, excluded, onEnd }: Props) {
  const { id } = useDrawer();
  const wanted = { message_ids: [message.id], excluded };
  const { data: preview, error, refetch } = useQuery(exclusionPreviewQuery(id, wanted));
  const { mutateAsync, isPending } = useExclude(id);
  const words = texts.drawer.exclusions;
  const back = () => void mutateAsync({ ...wanted, excluded: !excluded }).catch(toastProblem);
  const changed = () => {
    const said = excluded
      ? words.excluded(message.index, preview?.frees_tokens ?? 0)
      : words.included(message.index);
    toast(said, { tone: "ok", action: { label: texts.common.undo, run: back } });
    onEnd();
  };
  const change = () => void mutateAsync(wanted).then(changed, toastProblem);
  return (
    <div className={shared.stack} role="group" aria-live="polite">
      {error && <NotLoaded onRetry={() => void refetch()} />}
      {!error &&
        (preview ? (
          <Told preview={preview} excluded={excluded} />
        ) : (
          <p className={shared.meta}>{words.reading}</p>
        ))}
      <div className={shared.buttons}>
        <Button size="xs" onClick={change} loading={isPending} disabled={!preview}>
          {excluded ? words.confirmExclude : words.confirmInclude}
        </Button>
        <Button size="xs" variant="subtle" onClick={onEnd}>
          {words.cancel}
        </Button>
      </div>
    </div>
  );
}

function Told({ preview, excluded }: { preview: ExclusionPreview; excluded: boolean }) {
  const words = texts.drawer.exclusions;
  const { compacted, frees_tokens: frees = 0, summary_lines: lines = [], pins = 0 } = preview;
  return (
    <div>
      <p>
        {frees < 0 ? words.takes : words.frees} <Num value={Math.abs(frees)} source="counted" /> {words.unit}
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
