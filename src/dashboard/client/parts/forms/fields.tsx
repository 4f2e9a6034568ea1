/** Form fields with a label and an optional hint. */

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  readonly placeholder?: string;
}

interface TextFieldProps extends FieldProps {
  readonly type?: "text" | "password" | "search" | "number" | "date" | "datetime-local";
  /** Number of lines. If set, the field is a text area of that height. */
  readonly lines?: number;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly mono?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, value, onChange, type = "text", lines, mono = false } = props;
  const id = useId();
  const common = {
    id,
    value,
    class: mono ? "input mono" : "input",
    required: props.required ?? false,
    placeholder: props.placeholder ?? "",
    autoFocus: props.autoFocus ?? false,
    "aria-describedby": hint === undefined ? undefined : `${id}-hint`,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {lines === undefined
        ? (
          <input
            {...common}
            // To the type checker, each input type has its own attributes, but the ones used here
            // are common to all of them.
            type={type as "text"}
            autoComplete={props.autoComplete ?? "off"}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )
        : (
          <textarea
            {...common}
            rows={lines}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        )}
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}

/** A value and its label. */
export type Option = readonly [value: string, label: string];

interface SelectFieldProps extends FieldProps {
  readonly options: readonly Option[];
  /** Makes the label visible only to screen readers, e.g. in a row of filters. */
  readonly hideLabel?: boolean;
}

export function SelectField(
  { label, hint, value, onChange, options, hideLabel }: SelectFieldProps,
) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={hideLabel ? "sr-only" : ""}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(([option, label]) => (
          <option key={option} value={option} selected={option === value}>{label}</option>
        ))}
      </select>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </div>
  );
}

interface CheckFieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function CheckField({ label, hint, checked, onChange, disabled = false }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      </div>
    </div>
  );
}

interface RadioGroupProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly Option[];
}

/** Renders a handful of options side by side, exactly one of them selected. */
export function RadioGroup({ label, value, onChange, options }: RadioGroupProps) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class="sr-only">{label}</legend>
      {options.map(([option, label]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === value}
            onChange={() => onChange(option)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
