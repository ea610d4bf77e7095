/** Rewrite an item and put it in use, beside what it contradicts or instead of it. */

import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type InboxItem, type ItemEdit, useEditItem } from "@/api/inbox";
import { fieldErrors } from "@/api/problems";
import { capitalize } from "@/texts/plural";
import { inbox } from "@/texts/inbox";
import { categoryName, useCategories } from "../categories";
import { FormActions, InlineForm } from "../form";
import { tagsIn, tagText } from "../node/tags";
import { usePersistedDraft } from "../use-persisted-draft";
import classes from "./inbox.module.css";
import { type Decisions, toastRefusal } from "./use-decisions";

const words = inbox.edit;

interface Draft {
  content: string;
  tags: string;
  category: string;
}

interface Props {
  item: InboxItem;
  onSettled: Decisions["settled"];
  onClose: () => void;
}

export function EditItem({ item, onSettled, onClose }: Props) {
  const { memory } = item;
  const first = { content: memory.content, tags: tagText(memory.tags), category: memory.category };
  const { draft, change, done, discard } = usePersistedDraft<Draft>(`inbox/${item.id}`, first);
  const { mutateAsync, isPending, error } = useEditItem(item);
  const isConflict = item.replaces.length > 0;
  const save = (replaces: boolean) => {
    if (isPending || draft.content.trim() === "") return;
    const edit: ItemEdit = {
      ...(isConflict && { replaces }),
      ...(draft.content !== memory.content && { content: draft.content }),
      ...(draft.tags !== first.tags && { tags: tagsIn(draft.tags) }),
      ...(draft.category !== memory.category && {
        category: draft.category as NonNullable<ItemEdit["category"]>,
      }),
    };
    const saved = (decision: Parameters<typeof onSettled>[0]) => {
      done();
      onClose();
      onSettled(decision, "edit", item, inbox.edited);
    };
    void mutateAsync(edit).then(saved, toastRefusal);
  };
  const cancel = () => {
    discard(() => undefined);
    onClose();
  };
  return (
    <InlineForm title={words.title} onSubmit={() => save(isConflict)} onCancel={cancel}>
      {memory.is_cut ? (
        <p className={classes.hint}>{words.long}</p>
      ) : (
        <Textarea
          label={words.content}
          error={fieldErrors(error)["content"]}
          value={draft.content}
          rows={4}
          onChange={(event) => change({ content: event.currentTarget.value })}
        />
      )}
      <div className={classes.fields}>
        <CategoryField value={draft.category} onChange={(category) => change({ category })} />
        <TextInput
          label={words.tags}
          description={words.tagsAre}
          error={fieldErrors(error)["tags"]}
          value={draft.tags}
          onChange={(event) => change({ tags: event.currentTarget.value })}
        />
      </div>
      <FormActions onCancel={cancel}>
        <Button type="submit" variant="filled" loading={isPending}>
          {isConflict ? words.replace : words.approve}
        </Button>
        {isConflict && (
          <Button disabled={isPending} onClick={() => save(false)}>
            {words.both}
          </Button>
        )}
      </FormActions>
    </InlineForm>
  );
}

/** Categories of the same root: a move cannot change the owner of a memory. */
function CategoryField({ value, onChange }: { value: string; onChange: (category: string) => void }) {
  const categories = useCategories();
  const root = categories.find(({ name }) => name === value)?.directories[0];
  const choices = categories.filter(({ directories, names }) => directories[0] === root && names === 1);
  const all = choices.some(({ name }) => name === value)
    ? choices.map(({ name }) => name)
    : [value, ...choices.map(({ name }) => name)];
  return (
    <NativeSelect
      label={words.category}
      value={value}
      data={all.map((name) => ({ value: name, label: capitalize(categoryName(name)) }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
