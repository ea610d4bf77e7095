/** A button that looks like underlined text, where a frame would be too heavy. */

import type { ComponentProps } from "react";
import clsx from "clsx";
import classes from "./text-button.module.css";

export function TextButton({ className, ...props }: ComponentProps<"button">) {
  return <button type="button" className={clsx(classes.button, className)} {...props} />;
}
