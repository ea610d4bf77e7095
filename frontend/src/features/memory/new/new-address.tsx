/** Where the new memory is to be: a name below its category, or a whole address. */

import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { addressQuery } from "@/api/memories";
import { memory } from "@/texts/memory";
import { useCategories } from "../categories";
import shared from "../shared.module.css";
import { BY_ADDRESS, categoryOf, type NewDraft, placeOf } from "./new-draft";

const words = memory.new;
const PAUSE_MS = 250;

interface Props {
  draft: NewDraft;
  errors: Record<string, string>;
  onChange: (part: Partial<NewDraft>) => void;
}

export function NewPlace({ draft, errors, onChange }: Props) {
  const category = categoryOf(useCategories(), draft);
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
      {category?.names === 2 && (
        <TextInput
          label={words.entity}
          value={draft.entity}
          maxLength={99}
          onChange={(event) => onChange({ entity: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={words.name}
        description={words.nameIs}
        error={errors["name"]}
        value={draft.name}
        maxLength={100}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Address draft={draft} />
    </>
  );
}

/** The address that the server would give it, once typing pauses. */
function Address({ draft }: { draft: NewDraft }) {
  const categories = useCategories();
  const [paused] = useDebouncedValue(draft, PAUSE_MS);
  const isNamed = placeOf(categories, draft) !== null;
  const place = placeOf(categories, paused);
  const { data } = useQuery({ ...addressQuery(place ?? { uri: "" }), enabled: place !== null });
  if (!isNamed || place === null || data === undefined) return null;
  return (
    <p className={shared.address}>
      {words.becomes(data.uri)}
      {data.taken && ` (${words.numbered})`}
    </p>
  );
}
