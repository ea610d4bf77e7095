import { fieldErrors, Problem } from "@/api/problems";
import { InlineAlert } from "@/components/feedback/inline-alert";
import { problemMessage } from "@/components/feedback/toast";

/** The error of an import that failed as a whole: nothing was imported. */
export function ImportError({ error }: { error: Error }) {
  const fieldMessages = Object.entries(fieldErrors(error));
  return (
    <InlineAlert tone="bad" role="alert" code={error instanceof Problem ? error.code : ""}>
      <p>{problemMessage(error)}</p>
      {fieldMessages.map(([name, detail]) => (
        <p key={name}>
          {name}: {detail}
        </p>
      ))}
    </InlineAlert>
  );
}
