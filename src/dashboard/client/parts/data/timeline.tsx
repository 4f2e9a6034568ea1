/** A vertical list of events in chronological order. */

import type { ComponentChildren } from "preact";
import type { Tone } from "./badge.tsx";
import { Timestamp } from "./timestamp.tsx";

/** An event. */
export interface TimelineEntry {
  readonly key: string;
  readonly at: string | null;
  readonly title: ComponentChildren;
  readonly tone?: Tone;
  readonly body?: ComponentChildren;
}

interface TimelineProps {
  readonly label: string;
  readonly entries: readonly TimelineEntry[];
  /** Shows times to the second, for events only seconds apart. Defaults to relative times. */
  readonly exact?: boolean;
}

export function Timeline({ label, entries, exact = false }: TimelineProps) {
  return (
    <ol class="timeline" aria-label={label}>
      {entries.map(({ key, at, title, tone = "plain", body }) => (
        <li key={key} class={`moment ${tone}`}>
          <div class="moment-head">
            <span class="moment-title">{title}</span>
            {at !== null && (
              <span class="moment-time">
                <Timestamp at={at} as={exact ? "second" : "ago"} />
              </span>
            )}
          </div>
          {body && <div class="moment-body">{body}</div>}
        </li>
      ))}
    </ol>
  );
}
