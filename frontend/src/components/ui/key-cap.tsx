import { keyNames } from "@/lib/key-names";
import classes from "./key-cap.module.css";

/** A key as on the keyboard; "mod+K" is ⌘K or Ctrl+K. */
export function KeyCap({ keys }: { keys: string }) {
  return <kbd className={classes.key}>{keyNames(keys)}</kbd>;
}
