/** Pin a summary line as a text. */

import { TextButton } from "@/components/ui/text-button";
import { drawerLists } from "@/texts/drawer-lists";
import { usePinText } from "../lists/use-pin-message";
import { type DrawerLine, plainText } from "./lines";

export function PinLine({ line }: { line: DrawerLine }) {
  const pin = usePinText();
  return (
    <TextButton
      aria-label={drawerLists.summary.pin(plainText(line))}
      onClick={() => pin(plainText(line), categoryOf(line))}
    >
      {drawerLists.layerItems.pin}
    </TextButton>
  );
}

export function categoryOf({ field }: DrawerLine): "decision" | "requirement" | "reference" | "other" {
  const categories = { decisions: "decision", requirements: "requirement", references: "reference" } as const;
  return field in categories ? categories[field as keyof typeof categories] : "other";
}
