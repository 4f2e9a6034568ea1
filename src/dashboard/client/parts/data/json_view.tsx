/** Formatted JSON with a copy button. */

import { CopyButton } from "../feedback/copy_button.tsx";

interface JsonViewProps {
  readonly value: unknown;
  /** Name of the value, for screen readers. */
  readonly label: string;
}

export function JsonView({ value, label }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div class="json">
      <pre tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
