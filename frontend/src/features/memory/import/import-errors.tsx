import { fieldErrors, Problem } from "@/api/problems";
import { Note } from "@/components/feedback/inline-alert";
import { problemWords } from "@/components/feedback/toast";

/** The file as a whole was refused, or did not arrive: nothing was imported. */
export function NotImported({ error }: { error: Error }) {
  const faults = Object.entries(fieldErrors(error));
  return (
    <Note tone="bad" role="alert" code={error instanceof Problem ? error.code : ""}>
      <p>{problemWords(error)}</p>
      {faults.map(([name, detail]) => (
        <p key={name}>
          {name}: {detail}
        </p>
      ))}
    </Note>
  );
}
