/** A row of filters; on a narrow screen they fold away behind a button, until one is needed. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "../layout/icon.tsx";

interface FilterBarProps {
  readonly label: string;
  /** How many filters are set: told while they are folded away. */
  readonly activeCount: number;
  readonly children: ComponentChildren;
}

export function FilterBar({ label, activeCount, children }: FilterBarProps) {
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
        {activeCount > 0 && ` (${activeCount})`}
      </button>
      <div id={id} class={`filters ${open ? "open" : ""}`} role="group" aria-label={label}>
        {children}
      </div>
    </div>
  );
}
