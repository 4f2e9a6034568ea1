/** Nothing to show yet: why, and what to do about it. */

import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../layout/icon.tsx";

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do: a paragraph, a button. Each thing gets a line of its own. */
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
