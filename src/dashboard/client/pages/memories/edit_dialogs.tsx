/** Dialogs for editing, ending or deleting a memory. */

import { useState } from "preact/hooks";
import type { Memory, MemoryType } from "../../../../memories/schema.ts";
import { useMutation } from "../../hooks.ts";
import { FormDialog } from "../../parts/forms/dialog.tsx";
import { SelectField, TextField } from "../../parts/forms/fields.tsx";
import { useToast } from "../../parts/feedback/toast.tsx";
import { useProject } from "../../project.ts";
import { navigate } from "../../route.ts";
import { fromLocalInput, toLocalInput } from "../../parts/forms/local_time.ts";
import { TYPES } from "./filter.ts";

interface MemoryDialogProps {
  readonly memory: Memory;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface EditMemoryProps extends MemoryDialogProps {
  /** Text to start with. Defaults to that of the memory. */
  readonly text?: string;
}

/** Edits a memory. The service refuses the edit if the memory has changed since the dialog opened. */
export function EditMemory({ memory: newest, text, onClose, onDone }: EditMemoryProps) {
  // The page keeps refreshing the memory, but the fields show the one from when the dialog opened.
  const [memory] = useState(newest);
  const { api } = useProject();
  const showToast = useToast();
  const [content, setContent] = useState(text ?? memory.memory);
  const [type, setType] = useState<string>(memory.memory_type);
  const [importance, setImportance] = useState(String(memory.importance));
  const save = useMutation(async () => {
    await api.call("PUT", `/memories/${memory.id}`, {
      body: {
        ...(content === memory.memory ? {} : { content }),
        memory_type: type as MemoryType,
        importance: Number(importance),
        version: memory.updated_at,
      },
    });
    showToast("Saved");
    onDone();
  });
  return (
    <FormDialog
      title="Edit memory"
      submitLabel="Save"
      onClose={onClose}
      running={save.running}
      failure={save.failure}
      onSubmit={save.run}
      disabled={content.trim() === ""}
      wide
    >
      <TextField label="Text" lines={4} value={content} onChange={setContent} required autoFocus />
      <div class="form-row">
        <SelectField label="Type" value={type} onChange={setType} options={Object.entries(TYPES)} />
        <ImportanceField value={importance} onChange={setImportance} />
      </div>
    </FormDialog>
  );
}

/** Renders a 0-to-1 slider. */
export function ImportanceField(
  { value, onChange }: { readonly value: string; readonly onChange: (value: string) => void },
) {
  return (
    <div class="field">
      <label for="importance">Importance: {Number(value).toFixed(2)}</label>
      <input
        id="importance"
        type="range"
        min="0"
        max="1"
        step="0.05"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

export function EndMemory({ memory, onClose, onDone }: MemoryDialogProps) {
  const { api } = useProject();
  const showToast = useToast();
  const [at, setAt] = useState(toLocalInput(memory.valid_to ?? new Date().toISOString()));
  const end = useMutation(async () => {
    await api.call("POST", `/browse/memories/${memory.id}/end`, {
      body: { valid_to: fromLocalInput(at) },
    });
    showToast("End date saved");
    onDone();
  });
  return (
    <FormDialog
      title="When did it stop being true?"
      submitLabel="Save"
      onClose={onClose}
      running={end.running}
      failure={end.failure}
      onSubmit={end.run}
      disabled={at === ""}
    >
      <p>
        The history is kept. Searches still find the memory, ranked below valid ones. Views show its
        value up to this time.
      </p>
      <TextField
        label="Valid until"
        type="datetime-local"
        value={at}
        onChange={setAt}
        required
        autoFocus
      />
    </FormDialog>
  );
}

export function DeleteMemory({ memory, onClose }: Omit<MemoryDialogProps, "onDone">) {
  const { api, link } = useProject();
  const showToast = useToast();
  const remove = useMutation(async () => {
    await api.call("DELETE", `/memories/${memory.id}`);
    showToast("Memory deleted");
    navigate(link("/memories"));
  });
  return (
    <FormDialog
      title="Delete this memory?"
      submitLabel="Delete"
      danger
      onClose={onClose}
      running={remove.running}
      failure={remove.failure}
      onSubmit={remove.run}
    >
      <blockquote class="quoted clamp" dir="auto">{memory.memory}</blockquote>
      <p>
        It disappears from lists, searches and views immediately. Its history is kept. If it was
        true once but no longer is, mark it as ended instead.
      </p>
    </FormDialog>
  );
}
