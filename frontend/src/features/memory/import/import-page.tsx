/** Taking memories in from a file: choose or paste it, see what is in it, import it, and see what became of each. */

import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { Navigate, useNavigate, useSearchParams } from "react-router";
import { type ImportResults, useImportMemories, useImportPreview } from "@/api/memories";
import { Note } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { useTitle } from "@/components/hooks/use-title";
import { memory } from "@/texts/memory";
import { FormActions, PlaceForm } from "../form";
import { mayWrite } from "../permissions";
import { folderPath, importPath, TREE } from "../routes";
import shared from "../shared.module.css";
import { useKeptDraft } from "../use-persisted-draft";
import { ImportOutcome } from "./import-result";
import { ImportPreview } from "./import-preview";
import { ImportSource } from "./import-source";
import { type ChosenFile, placeFor, readMemories } from "./memory-file";
import { NotImported } from "./import-errors";

const words = memory.import;

export function ImportPage() {
  const [search] = useSearchParams();
  const { me } = useShell();
  useTitle(words.title);
  const folder = search.get("uri") ?? "";
  if (folder === "") return <Navigate to={TREE} replace />;
  if (!mayWrite(me)) return <Note tone="info">{memory.new.readOnly}</Note>;
  return (
    <div className={shared.page}>
      <Importing key={folder} folder={folder} />
    </div>
  );
}

/** What was chosen stays until one leaves, so that what was refused can be mended and sent again. */
function Importing({ folder }: { folder: string }) {
  const { draft, change, done, giveUp } = useKeptDraft(`import/${folder}`, { pasted: "" });
  const [file, setFile] = useState<ChosenFile | null>(null);
  const preview = useImportPreview();
  const { mutateAsync, data: results, isPending, error, reset } = useImportMemories();
  const navigate = useNavigate();
  const text = file?.text ?? draft.pasted;
  const found = useMemo(() => readMemories(text), [text]);
  const forget = () => {
    preview.reset();
    reset();
  };
  const many = preview.data && preview.data.created + preview.data.updated;
  const send = () => {
    if (typeof found === "string" || many === 0 || isPending || preview.isPending) return;
    const wish = { body: found.body, at: placeFor(found, folder) };
    if (preview.data === undefined) {
      preview.mutate(wish);
      return;
    }
    const told = (answer: ImportResults) => {
      if (answer.refused === 0) done();
      toast(words.imported(answer), { tone: answer.refused === 0 ? "ok" : "plain" });
    };
    void mutateAsync(wish).then(told, () => undefined);
  };
  const leave = () => {
    giveUp(() => void navigate(importPath(folder)));
    void navigate(folderPath(folder));
  };
  if (results !== undefined) return <ImportOutcome results={results} onBack={forget} onLeave={leave} />;
  const problem = preview.error ?? error;
  return (
    <PlaceForm title={words.title} onSend={send} onLeave={leave}>
      <p className={shared.told}>{words.into(folder)}</p>
      <ImportSource
        file={file}
        pasted={draft.pasted}
        onFile={(chosen) => {
          setFile(chosen);
          forget();
        }}
        onPaste={(pasted) => {
          change({ pasted });
          forget();
        }}
      />
      <ImportPreview found={found} folder={folder} results={preview.data} />
      {problem && <NotImported error={problem} />}
      <FormActions onLeave={leave}>
        <Button
          type="submit"
          variant="filled"
          loading={isPending || preview.isPending}
          disabled={typeof found === "string" || many === 0}
        >
          {many === undefined ? words.look : words.deed(many)}
        </Button>
      </FormActions>
    </PlaceForm>
  );
}
