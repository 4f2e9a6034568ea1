/** A titled page section. */

import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** Buttons next to the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  /** Whether the content gets a border. */
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
