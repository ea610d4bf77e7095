/** Create a memory: in a category by name, or at an address. */

import { Button, NativeSelect } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { type MemoryNode, useCreateMemory } from "@/api/memories";
import { fieldErrors, isProblem, Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { problemMessage, toast } from "@/components/feedback/toast";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { categoryName, useCategories } from "../categories";
import { FormActions, InlineForm } from "../form";
import { mayWrite } from "../permissions";
import { newPath, nodePath, TREE } from "../routes";
import shared from "../shared.module.css";
import { usePersistedDraft } from "../use-persisted-draft";
import { BY_ADDRESS, firstDraft, newMemory, type NewDraft, targetOf, manualCategories } from "./new-draft";
import { NewAddress } from "./new-address";
import { NewContent } from "./new-content";

const words = memory.new;

export function NewPage() {
  const [search] = useSearchParams();
  const { me } = useShell();
  useTitle(words.title);
  const folder = search.get("uri") ?? "";
  if (!mayWrite(me)) return <InlineAlert tone="info">{words.readOnly}</InlineAlert>;
  return <NewForm key={folder} folder={folder} />;
}

function NewForm({ folder }: { folder: string }) {
  const categories = useCategories();
  const first = firstDraft(categories, folder);
  const { draft, change, done, discard } = usePersistedDraft<NewDraft>(`new/${folder}`, first);
  const navigate = useNavigate();
  const { mutateAsync, isPending, error, reset } = useCreateMemory();
  const edit = (part: Partial<NewDraft>) => {
    change(part);
    if (error) reset();
  };
  const target = targetOf(categories, draft);
  const isReady = target !== null && draft.content.trim() !== "";
  const kinds = [
    ...manualCategories(categories).map(({ name }) => ({ value: name, label: categoryName(name) })),
    { value: BY_ADDRESS, label: words.byAddress },
  ];
  const cancel = () => {
    discard(() => void navigate(newPath(folder === "" ? undefined : folder)));
    void navigate(TREE);
  };
  const create = () => {
    if (target === null || !isReady || isPending) return;
    const created = ({ id }: MemoryNode) => {
      done();
      toast(words.created, { tone: "ok" });
      void navigate(nodePath(id), { replace: true });
    };
    void mutateAsync(newMemory(categories, target, draft)).then(created, () => undefined);
  };
  return (
    <div className={shared.page}>
      <InlineForm title={words.title} onSubmit={create} onCancel={cancel}>
        <NativeSelect
          label={words.kind}
          value={draft.kind}
          data={kinds}
          onChange={(event) => edit({ kind: event.currentTarget.value })}
        />
        <NewAddress draft={draft} errors={fieldErrors(error)} onChange={edit} />
        <NewContent draft={draft} errors={fieldErrors(error)} onChange={edit} />
        {error && <CreateError error={error} />}
        <FormActions onCancel={cancel}>
          <Button type="submit" variant="filled" loading={isPending} disabled={!isReady}>
            {words.deed}
          </Button>
        </FormActions>
      </InlineForm>
    </div>
  );
}

function CreateError({ error }: { error: Error }) {
  const isTaken = isProblem(error, "address_taken");
  return (
    <InlineAlert tone="bad" role="alert" code={error instanceof Problem ? error.code : ""}>
      <p>{isTaken ? words.taken : problemMessage(error)}</p>
    </InlineAlert>
  );
}
