/** The import page: choose a file or paste text, preview, import, and review the results. */

import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";
import { type ImportResults, useImportMemories, useImportPreview } from "@/api/memories";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { useShell } from "@/components/hooks/shell-context";
import { toast } from "@/components/feedback/toast";
import { useTitle } from "@/components/hooks/use-title";
import { importFiles } from "@/texts/import-files";
import { memory } from "@/texts/memory";
import { FormActions, InlineForm } from "../form";
import { ImportChoice } from "../import-choice";
import { mayWrite } from "../permissions";
import { folderPath, IMPORT, importPath, TREE } from "../routes";
import shared from "../shared.module.css";
import { usePersistedDraft } from "../use-persisted-draft";
import { ImportOutcome } from "./import-result";
import { ImportPreview } from "./import-preview";
import { ImportSource } from "./import-source";
import { type ChosenFile, importTarget, readMemories } from "./memory-file";
import { ImportError } from "./import-errors";

const words = memory.import;

export function ImportPage() {
  const [search] = useSearchParams();
  const { me } = useShell();
  useTitle(words.title);
  const folder = search.get("uri") ?? "";
  if (folder === "") return <Navigate to={TREE} replace />;
  if (!mayWrite(me)) return <InlineAlert tone="info">{memory.new.readOnly}</InlineAlert>;
  return (
    <div className={shared.page}>
      <ImportForm key={folder} folder={folder} />
    </div>
  );
}

/** The input stays until the user leaves, so that rejected memories can be fixed and sent again. */
function ImportForm({ folder }: { folder: string }) {
  const { draft, change, done, discard } = usePersistedDraft(`import/${folder}`, { pasted: "" });
  const [file, setFile] = useState<ChosenFile | null>(null);
  const preview = useImportPreview();
  const { mutateAsync, data: results, variables, isPending, error, reset } = useImportMemories();
  const navigate = useNavigate();
  const text = file?.text ?? draft.pasted;
  const parsed = useMemo(() => readMemories(text), [text]);
  const resetResults = () => {
    preview.reset();
    reset();
  };
  const changeCount = preview.data && preview.data.created + preview.data.updated;
  const request = typeof parsed === "string" ? null : { body: parsed.body, at: importTarget(parsed, folder) };
  const look = () => {
    if (request && preview.data === undefined && !preview.isPending) preview.mutate(request);
  };
  const submit = (confirmed: boolean) => {
    if (request === null || isPending) return;
    const onImported = (answer: ImportResults) => {
      if (answer.refused === 0) done();
      toast(words.imported(answer), { tone: answer.refused === 0 ? "ok" : "plain" });
    };
    void mutateAsync({ ...request, confirmed }).then(onImported, () => undefined);
  };
  const cancel = () => {
    discard(() => void navigate(importPath(folder)));
    void navigate(folderPath(folder));
  };
  if (results !== undefined)
    return (
      <ImportOutcome results={results} waits={!variables.confirmed} onBack={resetResults} onClose={cancel} />
    );
  const problem = preview.error ?? error;
  return (
    <InlineForm title={words.title} onSubmit={look} onCancel={cancel}>
      <p className={shared.told}>
        {words.into(folder)} {importFiles.fromFolder} <Link to={IMPORT}>{importFiles.fromFolderLink}</Link>.
      </p>
      <ImportSource
        file={file}
        pasted={draft.pasted}
        onFile={(chosen) => {
          setFile(chosen);
          resetResults();
        }}
        onPaste={(pasted) => {
          change({ pasted });
          resetResults();
        }}
      />
      <ImportPreview parsed={parsed} folder={folder} results={preview.data} />
      {problem && <ImportError error={problem} />}
      {changeCount ? <ImportChoice isPending={isPending} onImport={submit} /> : null}
      <FormActions onCancel={cancel}>
        {!changeCount && (
          <Button
            type="submit"
            variant="filled"
            loading={preview.isPending}
            disabled={request === null || changeCount === 0}
          >
            {changeCount === undefined ? words.look : words.nothing}
          </Button>
        )}
      </FormActions>
    </InlineForm>
  );
}
