/** A button that copies a text. */

import { useState } from "preact/hooks";
import { Icon } from "../layout/icon.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers and on hover. */
  readonly label?: string;
  /** Words beside the drawing. */
  readonly caption?: string;
}

export function CopyButton({ text, label = "Copy", caption }: CopyButtonProps) {
  const [state, setState] = useState<"" | "Copied" | "Copying isn't allowed here">("");
  const copy = async () => {
    setState(await copyToClipboard(text) ? "Copied" : "Copying isn't allowed here");
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

/** The clipboard is there only over HTTPS and on loopback; a selected field works everywhere. */
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

/** An id, short enough for a row, whole on hover and when copied. */
export function Id({ of, short = false }: { of: string; short?: boolean }) {
  return (
    <span class="id">
      <code title={of}>{short && of.length > 16 ? `${of.slice(0, 5)}…${of.slice(-6)}` : of}</code>
      <CopyButton text={of} label="Copy the id" />
    </span>
  );
}
