import { useId } from "react";
import { texts } from "@/texts";
import { LOOKS, useLook } from "../hooks/color-scheme";
import classes from "./color-scheme-select.module.css";

/** Three buttons of which one is on. */
export function LookChoice() {
  const { look, setLook } = useLook();
  const name = useId();
  return (
    <fieldset className={classes.choice}>
      <legend>{texts.common.look}</legend>
      {LOOKS.map(({ value, label, Icon }) => (
        <label key={value} title={label} data-on={value === look}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === look}
            aria-label={label}
            onChange={() => setLook(value)}
          />
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  );
}
