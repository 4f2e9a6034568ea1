/** A field that searches while one types. */

import { useEffect, useId, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** Milliseconds after the last key before a search is made of what was typed. */
const TYPING_MS = 350;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** What is searched for; undefined for nothing. */
  readonly value: string | undefined;
  readonly change: (value: string | undefined) => void;
}

/** Tells of a change a moment after the last key, and at once on Enter. */
export function SearchField({ label, placeholder, value, change }: SearchFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? "");
  useEffect(() => setTyped(value ?? ""), [value]);
  const tell = (text: string) => {
    if (text.trim() !== (value ?? "")) change(text.trim() || undefined);
  };
  useEffect(() => {
    const timer = setTimeout(() => tell(typed), TYPING_MS);
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
