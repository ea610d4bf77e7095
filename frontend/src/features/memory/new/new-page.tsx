/** Writing a memory down: by its category and a name, or at an address. */

import { Button, NativeSelect } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { type MemoryNode, useCreateMemory } from "@/api/memories";
import { fieldErrors, isProblem, Problem } from "@/api/problems";
import { Note } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { problemWords, toast } from "@/components/feedback/toast";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { categoryName, useCategories } from "../categories";
import { FormActions, PlaceForm } from "../form";
import { mayWrite } from "../permissions";
import { newPath, nodePath, TREE } from "../routes";
import shared from "../shared.module.css";
import { useKeptDraft } from "../use-persisted-draft";
import { BY_ADDRESS, firstDraft, newMemory, type NewDraft, placeOf, writtenByHand } from "./new-draft";
import { NewPlace } from "./new-address";
import { NewWords } from "./new-content";

const words = memory.new;

export function NewPage() {
  const [search] = useSearchParams();
  const { me } = useShell();
  useTitle(words.title);
  const folder = search.get("uri") ?? "";
  if (!mayWrite(me)) return <Note tone="info">{words.readOnly}</Note>;
  return <NewForm key={folder} folder={folder} />;
}

function NewForm({ folder }: { folder: string }) {
  const categories = useCategories();
  const first = firstDraft(categories, folder);
  const { draft, change, done, giveUp } = useKeptDraft<NewDraft>(`new/${folder}`, first);
  const navigate = useNavigate();
  const { mutateAsync, isPending, error, reset } = useCreateMemory();
  const typed = (part: Partial<NewDraft>) => {
    change(part);
    if (error) reset();
  };
  const place = placeOf(categories, draft);
  const isReady = place !== null && draft.content.trim() !== "";
  const kinds = [
    ...writtenByHand(categories).map(({ name }) => ({ value: name, label: categoryName(name) })),
    { value: BY_ADDRESS, label: words.byAddress },
  ];
  const leave = () => {
    giveUp(() => void navigate(newPath(folder === "" ? undefined : folder)));
    void navigate(TREE);
  };
  const create = () => {
    if (place === null || !isReady || isPending) return;
    const created = ({ id }: MemoryNode) => {
      done();
      toast(words.created, { tone: "ok" });
      void navigate(nodePath(id), { replace: true });
    };
    void mutateAsync(newMemory(categories, place, draft)).then(created, () => undefined);
  };
  return (
    <div className={shared.page}>
      <PlaceForm title={words.title} onSend={create} onLeave={leave}>
        <NativeSelect
          label={words.kind}
          value={draft.kind}
          data={kinds}
          onChange={(event) => typed({ kind: event.currentTarget.value })}
        />
        <NewPlace draft={draft} errors={fieldErrors(error)} onChange={typed} />
        <NewWords draft={draft} errors={fieldErrors(error)} onChange={typed} />
        {error && <NotCreated error={error} />}
        <FormActions onLeave={leave}>
          <Button type="submit" variant="filled" loading={isPending} disabled={!isReady}>
            {words.deed}
          </Button>
        </FormActions>
      </PlaceForm>
    </div>
  );
}

function NotCreated({ error }: { error: Error }) {
  const isTaken = isProblem(error, "address_taken");
  return (
    <Note tone="bad" role="alert" code={error instanceof Problem ? error.code : ""}>
      <p>{isTaken ? words.taken : problemWords(error)}</p>
    </Note>
  );
}
