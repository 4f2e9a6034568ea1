/** A modal dialog. Uses the `dialog` element, which traps the focus and closes on Escape. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { RequestError } from "../../api.ts";
import { Icon } from "../layout/icon.tsx";
import { ErrorMessage } from "../feedback/error_message.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  readonly wide?: boolean;
}

/** Renders a dialog, open for as long as it's rendered. */
export function Dialog({ title, children, onClose, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onClose={onClose}
      onMouseDown={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="dialog-body">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

interface FormDialogProps extends DialogProps {
  /** Submit button text. */
  readonly submitLabel: string;
  /** Whether the action can't be undone. */
  readonly danger?: boolean;
  readonly running: boolean;
  readonly disabled?: boolean;
  readonly failure: RequestError | undefined;
  readonly onSubmit: () => void;
}

/** Renders a dialog with a form, a cancel button and a submit button. */
export function FormDialog(props: FormDialogProps) {
  const { submitLabel, danger = false, running, disabled = false, failure, onSubmit, children } =
    props;
  return (
    <Dialog title={props.title} onClose={props.onClose} wide={props.wide ?? false}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <ErrorMessage failure={failure} />
        <div class="form-actions">
          <button type="button" class="button" onClick={props.onClose}>Cancel</button>
          <button
            type="submit"
            class={danger ? "button danger" : "button primary"}
            disabled={running || disabled}
          >
            {running ? "One moment…" : submitLabel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
