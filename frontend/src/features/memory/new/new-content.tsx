/** The content of a new memory: text, tags, day and visibility. */

import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useShell } from "@/components/hooks/shell-context";
import { memory } from "@/texts/memory";
import { useCategories } from "../categories";
import { isCurator } from "../permissions";
import shared from "../shared.module.css";
import { isTeamTarget, type NewDraft } from "./new-draft";

const words = memory.new;

interface Props {
  draft: NewDraft;
  errors: Record<string, string>;
  onChange: (part: Partial<NewDraft>) => void;
}

export function NewContent({ draft, errors, onChange }: Props) {
  const { me } = useShell();
  const categories = useCategories();
  return (
    <>
      <Textarea
        label={memory.edit.content}
        description={memory.edit.contentIs}
        error={errors["content"]}
        value={draft.content}
        rows={8}
        onChange={(event) => onChange({ content: event.currentTarget.value })}
      />
      <div className={shared.pair}>
        <TextInput
          label={memory.edit.tags}
          description={memory.edit.tagsAre}
          error={errors["tags"]}
          value={draft.tags}
          onChange={(event) => onChange({ tags: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={memory.edit.occurred}
          description={words.occurredIs}
          value={draft.day}
          onChange={(event) => onChange({ day: event.currentTarget.value })}
        />
      </div>
      {isCurator(me) && isTeamTarget(categories, draft) && (
        <NativeSelect
          label={words.audience}
          value={String(draft.shared)}
          data={[
            { value: "false", label: words.mine },
            { value: "true", label: words.team },
          ]}
          onChange={(event) => onChange({ shared: event.currentTarget.value === "true" })}
        />
      )}
    </>
  );
}
