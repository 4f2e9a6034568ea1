/** The head of a page: what it is, where it belongs, and what can be done here. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

interface PageHeaderProps {
  readonly title: ComponentChildren;
  /** The title as text, for the tab of the browser, when `title` is more than text. */
  readonly tab?: string;
  /** The page above this one. */
  readonly back?: { readonly href: string; readonly title: string };
  /** One sentence that says what the page is for. */
  readonly lead?: ComponentChildren;
  /** Buttons. */
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
