/** Writing a memory down: by its category and a name, or at an address. */

import { Button, NativeSelect } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { type MemoryNode, useCreateMemory } from "@/api/memories";
import { fieldErrors, isProblem, Problem } from "@/api/problems";
import { Note } from "@/components/note";
import { useShell } from "@/components/shell-context";
import { problemWords, toast } from "@/components/toast";
import { useTitle } from "@/components/use-title";
import { memory } from "@/texts/memory";
import { CATEGORIES } from "../address";
import { FormActions, PlaceForm } from "../form";
import { mayWrite } from "../may";
import { newPath, nodePath, TREE } from "../places";
import shared from "../shared.module.css";
import { useKeptDraft } from "../use-kept-draft";
import { BY_ADDRESS, bodyOf, firstDraft, type NewDraft, uriOf } from "./new-draft";
import { NewPlace } from "./new-place";
import { NewWords } from "./new-words";

const words = memory.new;
/** Sessions are written by those who had them. */
const KINDS = [
  ...CATEGORIES.filter(({ name }) => name !== "session").map(({ name }) => ({
    value: name,
    label: memory.categories[name] ?? name,
  })),
  { value: BY_ADDRESS, label: words.byAddress },
];

export function NewPage() {
  const [search] = useSearchParams();
  const { me } = useShell();
  useTitle(words.title);
  const folder = search.get("uri") ?? "";
  if (!mayWrite(me)) return <Note tone="info">{words.readOnly}</Note>;
  return <NewForm key={folder} folder={folder} />;
}

function NewForm({ folder }: { folder: string }) {
  const { draft, change, done, giveUp } = useKeptDraft<NewDraft>(`new/${folder}`, firstDraft(folder));
  const navigate = useNavigate();
  const { mutateAsync, isPending, error, reset } = useCreateMemory();
  const typed = (part: Partial<NewDraft>) => {
    change(part);
    if (error) reset();
  };
  const isReady = uriOf(draft) !== null && draft.content.trim() !== "";
  const leave = () => {
    giveUp(() => void navigate(newPath(folder === "" ? undefined : folder)));
    void navigate(TREE);
  };
  const create = () => {
    if (!isReady || isPending) return;
    const created = ({ id }: MemoryNode) => {
      done();
      toast(words.created, { tone: "ok" });
      void navigate(nodePath(id), { replace: true });
    };
    void mutateAsync(bodyOf(draft)).then(created, () => undefined);
  };
  return (
    <div className={shared.page}>
      <PlaceForm title={words.title} onSend={create} onLeave={leave}>
        <NativeSelect
          label={words.kind}
          value={draft.kind}
          data={KINDS}
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
