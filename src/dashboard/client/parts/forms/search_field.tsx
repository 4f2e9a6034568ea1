/** A field that searches while one types. */

import { useEffect, useId, useState } from "preact/hooks";
import { Icon } from "../layout/icon.tsx";

/** Milliseconds after the last key before a search is made of what was typed. */
const DEBOUNCE_MS = 350;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** What is searched for; undefined for nothing. */
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Tells of a change a moment after the last key, and at once on Enter. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? "");
  useEffect(() => setTyped(value ?? ""), [value]);
  const tell = (text: string) => {
    if (text.trim() !== (value ?? "")) onChange(text.trim() || undefined);
  };
  useEffect(() => {
    const timer = setTimeout(() => tell(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <form
      role="search"
      class="search-field"
      onSubmit={(event) => {
        event.preventDefault();
        tell(typed);
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
