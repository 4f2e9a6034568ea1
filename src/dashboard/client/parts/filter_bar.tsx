/** A row of filters; on a narrow screen they fold away behind a button, until one is needed. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface FilterBarProps {
  readonly label: string;
  /** How many filters are set: told while they are folded away. */
  readonly set: number;
  readonly children: ComponentChildren;
}

export function FilterBar({ label, set, children }: FilterBarProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div class="filter-bar">
      <button
        type="button"
        class="button filter-fold"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "down" : "chevron"} />
        {label}
        {set > 0 && ` (${set})`}
      </button>
      <div id={id} class={`filters ${open ? "open" : ""}`} role="group" aria-label={label}>
        {children}
      </div>
    </div>
  );
}
