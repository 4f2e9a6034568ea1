/** A field to choose one file. */

import { useEffect, useId, useRef } from "preact/hooks";
import { formatBytes } from "../data/number_format.ts";

interface FileFieldProps {
  readonly label: string;
  /** The chosen file. The field empties when it is set to undefined. */
  readonly file: File | undefined;
  readonly onChange: (file: File | undefined) => void;
  /** Accepted file types, as in HTML. */
  readonly accept?: string;
}

export function FileField({ label, file, onChange, accept }: FileFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (file === undefined) field.current!.value = "";
  }, [file]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        class="input"
        type="file"
        accept={accept}
        onChange={(event) => onChange(event.currentTarget.files?.[0])}
      />
      {file && <p class="hint">{formatBytes(file.size)}</p>}
    </div>
  );
}
