/** A coloured status label. The text says the same as the colour. */

import type { ComponentChildren } from "preact";

export type Tone = "plain" | "good" | "busy" | "warn" | "bad";

interface BadgeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function Badge({ tone = "plain", title, children }: BadgeProps) {
  return <span class={`badge ${tone}`} {...(title === undefined ? {} : { title })}>{children}
  </span>;
}

/** Tones for operation, event and upload statuses, under both names in use. */
const STATUS_TONES: Readonly<Record<string, Tone>> = {
  awaiting_upload: "plain",
  uploaded: "plain",
  queued: "busy",
  pending: "plain",
  processing: "busy",
  running: "busy",
  retry: "warn",
  retrying: "warn",
  success: "good",
  succeeded: "good",
  ready: "good",
  committed: "good",
  ok: "good",
  dead: "bad",
  failed: "bad",
  degraded: "bad",
  cancelled: "plain",
};

/** Renders the status of an operation, event or upload. */
export function StatusBadge({ of }: { of: string }) {
  const status = of.toLowerCase();
  return (
    <Badge tone={STATUS_TONES[status] ?? "plain"}>
      <span class="badge-dot" aria-hidden="true" />
      {status.replaceAll("_", " ")}
    </Badge>
  );
}
