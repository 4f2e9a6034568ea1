/** A dialog, the browser's own: it keeps the focus, and Escape closes it. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Failure } from "../api.ts";
import { Icon } from "./icon.tsx";
import { Problem } from "./problem.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly close: () => void;
  readonly wide?: boolean;
}

/** Shown as long as it is rendered. */
export function Dialog({ title, children, close, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "dialog wide" : "dialog"}
      aria-labelledby={id}
      onClose={close}
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
  /** The words on the button that does it. */
  readonly action: string;
  /** For what can't be taken back. */
  readonly danger?: boolean;
  readonly running: boolean;
  readonly disabled?: boolean;
  readonly failure: Failure | undefined;
  readonly submit: () => void;
}

/** A dialog with a form and its two buttons. */
export function FormDialog(props: FormDialogProps) {
  const { action, danger = false, running, disabled = false, failure, submit, children } = props;
  return (
    <Dialog title={props.title} close={props.close} wide={props.wide ?? false}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        <Problem failure={failure} />
        <div class="form-actions">
          <button type="button" class="button" onClick={props.close}>Cancel</button>
          <button
            type="submit"
            class={danger ? "button danger" : "button primary"}
            disabled={running || disabled}
          >
            {running ? "One moment…" : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
