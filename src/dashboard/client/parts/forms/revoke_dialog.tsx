/** The dialog that revokes an API key or a connection. */

import type { ComponentChildren } from "preact";
import { useMutation } from "../../hooks.ts";
import { useProject } from "../../project.ts";
import { useToast } from "../feedback/toast.tsx";
import { FormDialog } from "./dialog.tsx";

interface RevokeDialogProps {
  /** The record's path in the project. */
  readonly path: string;
  readonly title: string;
  readonly submitLabel: string;
  /** Says that it's done. */
  readonly doneText: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly children: ComponentChildren;
}

export function RevokeDialog(
  { path, doneText, onClose, onDone, ...dialog }: RevokeDialogProps,
) {
  const project = useProject();
  const showToast = useToast();
  const revoke = useMutation(async () => {
    await project.api.call("DELETE", path);
    showToast(doneText);
    onDone();
    onClose();
  });
  return (
    <FormDialog
      {...dialog}
      danger
      onClose={onClose}
      running={revoke.running}
      failure={revoke.failure}
      onSubmit={revoke.run}
    />
  );
}
