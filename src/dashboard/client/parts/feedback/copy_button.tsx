/** A button that copies text to the clipboard. */

import { useState } from "preact/hooks";
import { Icon } from "../layout/icon.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** What's being copied, for screen readers and the tooltip. Defaults to "Copy". */
  readonly label?: string;
  /** Text next to the icon. */
  readonly caption?: string;
}

export function CopyButton({ text, label = "Copy", caption }: CopyButtonProps) {
  const [state, setState] = useState<"" | "Copied" | "Could not copy">("");
  const copy = async () => {
    setState(await copyToClipboard(text) ? "Copied" : "Could not copy");
    setTimeout(() => setState(""), 1_500);
  };
  return (
    <button
      type="button"
      class={caption === undefined ? "icon-button tiny" : "button"}
      aria-label={caption === undefined ? label : undefined}
      title={label}
      onClick={() => void copy()}
    >
      <Icon name={state === "Copied" ? "check" : "copy"} />
      {caption !== undefined && (state || caption)}
      <span class="sr-only" role="status">{state}</span>
    </button>
  );
}

/**
 * Copies a text and returns whether that worked. The clipboard API needs HTTPS or loopback.
 * Everywhere else, we copy from a selected text field.
 */
async function copyToClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    return await navigator.clipboard.writeText(text).then(() => true, () => false);
  }
  const field = document.createElement("textarea");
  field.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/**
 * Renders an id with a copy button. With `short`, the middle of the id is elided, but the tooltip
 * and copied text are complete.
 */
export function Id({ of, short = false }: { of: string; short?: boolean }) {
  return (
    <span class="id">
      <code title={of}>{short && of.length > 16 ? `${of.slice(0, 5)}…${of.slice(-6)}` : of}</code>
      <CopyButton text={of} label="Copy ID" />
    </span>
  );
}
