/** What happened, one thing after the other, along a line. */

import type { ComponentChildren } from "preact";
import type { Tone } from "./badge.tsx";
import { When } from "./when.tsx";

/** One thing that happened. */
export interface Moment {
  readonly key: string;
  readonly at: string | null;
  readonly title: ComponentChildren;
  readonly tone?: Tone;
  readonly body?: ComponentChildren;
}

export function Timeline({ label, moments }: { label: string; moments: readonly Moment[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {moments.map(({ key, at, title, tone = "plain", body }) => (
        <li key={key} class={`moment ${tone}`}>
          <div class="moment-head">
            <span class="moment-title">{title}</span>
            <span class="moment-time">
              <When at={at} />
            </span>
          </div>
          {body && <div class="moment-body">{body}</div>}
        </li>
      ))}
    </ol>
  );
}
