/** Shown when there's nothing to list. Explains why, and what to do next. */

import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../layout/icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do next, as paragraphs and buttons, each on its own line. */
  readonly children?: ComponentChildren;
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <p class="empty-title">{title}</p>
      {children && <div class="empty-words">{children}</div>}
    </div>
  );
}
