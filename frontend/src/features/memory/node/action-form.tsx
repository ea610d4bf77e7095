/** The form of an action that needs more than a click. */

import type { MemoryNode } from "@/api/memories";
import type { Form } from "./actions";
import { EraseForm } from "./erase-form";
import { MergeForm } from "./merge-form";
import { MoveForm } from "./move-form";
import { ShareQuestion } from "./share-question";

interface Props {
  form: Exclude<Form, "edit">;
  node: MemoryNode;
  onClose: () => void;
}

const FORMS = { move: MoveForm, merge: MergeForm, share: ShareQuestion, erase: EraseForm };

export function ActionForm({ form, ...props }: Props) {
  const SelectedForm = FORMS[form];
  return <SelectedForm {...props} />;
}
