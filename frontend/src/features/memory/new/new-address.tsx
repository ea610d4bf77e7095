/** The address of a new memory: a name in a category, or a full address. */

import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { addressQuery } from "@/api/memories";
import { memory } from "@/texts/memory";
import { useCategories } from "../categories";
import shared from "../shared.module.css";
import { BY_ADDRESS, categoryOf, type NewDraft, targetOf } from "./new-draft";

const words = memory.new;
const DEBOUNCE_MS = 250;

interface Props {
  draft: NewDraft;
  errors: Record<string, string>;
  onChange: (part: Partial<NewDraft>) => void;
}

export function NewAddress({ draft, errors, onChange }: Props) {
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

/** Preview the server's address when typing pauses. */
function Address({ draft }: { draft: NewDraft }) {
  const categories = useCategories();
  const [debounced] = useDebouncedValue(draft, DEBOUNCE_MS);
  const isNamed = targetOf(categories, draft) !== null;
  const target = targetOf(categories, debounced);
  const { data } = useQuery({ ...addressQuery(target ?? { uri: "" }), enabled: target !== null });
  if (!isNamed || target === null || data === undefined) return null;
  return (
    <p className={shared.address}>
      {words.becomes(data.uri)}
      {data.taken && ` (${words.numbered})`}
    </p>
  );
}
