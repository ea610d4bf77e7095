import { useId } from "react";
import { texts } from "@/texts";
import { COLOR_SCHEMES, useColorScheme } from "../hooks/color-scheme";
import classes from "./color-scheme-select.module.css";

/** Three toggle buttons for the color scheme. */
export function ColorSchemeSelect() {
  const { scheme, setScheme } = useColorScheme();
  const name = useId();
  return (
    <fieldset className={classes.choice}>
      <legend>{texts.common.look}</legend>
      {COLOR_SCHEMES.map(({ value, label, Icon }) => (
        <label key={value} title={label} data-on={value === scheme}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === scheme}
            aria-label={label}
            onChange={() => setScheme(value)}
          />
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  );
}
