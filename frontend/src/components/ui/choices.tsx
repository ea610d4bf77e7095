/** One of a few choices, all visible. The first takes the focus if nothing before it can. */

import { useEffect, useId, useRef } from "react";
import classes from "./choices.module.css";

interface Props<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; hint?: string }[];
  /** The choices appear where the focus was. */
  takesFocus?: boolean;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

export function Choices<Value extends string>({
  label,
  value,
  options,
  takesFocus = false,
  disabled = false,
  onChange,
}: Props<Value>) {
  const name = useId();
  const chosen = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) chosen.current?.focus();
  }, [takesFocus]);
  return (
    <fieldset className={classes.choices} disabled={disabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            ref={option.value === value ? chosen : undefined}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            {option.label}
            {option.hint !== undefined && <span className={classes.hint}>{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
