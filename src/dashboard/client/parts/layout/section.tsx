/** A page section with a title. */

import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** Buttons next to the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether to put a border around the content. */
  readonly card?: boolean;
}

export function Section({ title, lead, actions, children, card = false }: SectionProps) {
  return (
    <section class="section">
      <div class="section-head">
        <div>
          <h2>{title}</h2>
          {lead && <p class="section-lead">{lead}</p>}
        </div>
        {actions && <div class="section-actions">{actions}</div>}
      </div>
      {card ? <div class="card">{children}</div> : children}
    </section>
  );
}
