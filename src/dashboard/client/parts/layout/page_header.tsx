/** A page header: title, link to the parent page, and action buttons. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface PageHeaderProps {
  readonly title: ComponentChildren;
  /** Plain-text title for the browser tab, if `title` isn't a string. */
  readonly tab?: string;
  /** Link to the parent page. */
  readonly back?: { readonly href: string; readonly title: string };
  /** One sentence on what the page is for. */
  readonly lead?: ComponentChildren;
  /** Action buttons. */
  readonly children?: ComponentChildren;
}

export function PageHeader({ title, tab, back, lead, children }: PageHeaderProps) {
  const text = tab ?? (typeof title === "string" ? title : "");
  useEffect(() => {
    document.title = text === "" ? "Commonplace" : `${text} · Commonplace`;
  }, [text]);
  return (
    <header class="page-head">
      <div class="page-head-words">
        {back && <a class="page-back" href={back.href}>{back.title}</a>}
        <h1 tabIndex={-1}>{title}</h1>
        {lead && <p class="page-lead">{lead}</p>}
      </div>
      {children && <div class="page-actions">{children}</div>}
    </header>
  );
}
