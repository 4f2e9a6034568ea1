/** A row of filters. Collapses behind a button on narrow screens. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "../layout/icon.tsx";

interface FilterBarProps {
  readonly label: string;
  /** Number of active filters, shown on the button. */
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
