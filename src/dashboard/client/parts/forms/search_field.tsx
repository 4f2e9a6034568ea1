/** A search-as-you-type field. */

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "../layout/icon.tsx";

/** Delay from the last keystroke to the search, in milliseconds. */
const DEBOUNCE_MS = 350;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Current query, if any. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/**
 * Renders the field. `onChange` is called shortly after the last keystroke, or immediately on
 * Enter.
 */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? "");
  // The field keeps spaces at the ends, which a query doesn't have.
  useEffect(() => setTyped((now) => now.trim() === (value ?? "") ? now : value ?? ""), [value]);
  // The page may have changed by the time that a timer ends.
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  const commit = (text: string) => {
    const { value, onChange } = latest.current;
    if (text.trim() !== (value ?? "")) onChange(text.trim() || undefined);
  };
  useEffect(() => {
    const timer = setTimeout(() => commit(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <form
      role="search"
      class="search-field"
      onSubmit={(event) => {
        event.preventDefault();
        commit(typed);
      }}
    >
      <label class="sr-only" for={id}>{label}</label>
      <Icon name="search" />
      <input
        id={id}
        class="input"
        type="search"
        value={typed}
        maxLength={8_000}
        placeholder={placeholder}
        autocomplete="off"
        dir="auto"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  );
}
