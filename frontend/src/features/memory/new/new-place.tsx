/** Where the new memory is to be: a name below its category, or a whole address. */

import { TextInput } from "@mantine/core";
import { memory } from "@/texts/memory";
import shared from "../shared.module.css";
import { BY_ADDRESS, namesNeeded, type NewDraft, uriOf } from "./new-draft";

const words = memory.new;

interface Props {
  draft: NewDraft;
  errors: Record<string, string>;
  onChange: (part: Partial<NewDraft>) => void;
}

export function NewPlace({ draft, errors, onChange }: Props) {
  const uri = uriOf(draft);
  if (draft.kind === BY_ADDRESS) {
    return (
      <TextInput
        className={shared.mono ?? ""}
        label={words.address}
        description={words.addressIs}
        error={errors["uri"]}
        value={draft.address}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ address: event.currentTarget.value })}
      />
    );
  }
  return (
    <>
      {namesNeeded(draft.kind) === 2 && (
        <TextInput
          label={words.entity}
          value={draft.entity}
          maxLength={100}
          onChange={(event) => onChange({ entity: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={words.name}
        description={words.nameIs}
        error={errors["uri"]}
        value={draft.name}
        maxLength={100}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {uri !== null && <p className={shared.address}>{words.becomes(uri)}</p>}
    </>
  );
}
