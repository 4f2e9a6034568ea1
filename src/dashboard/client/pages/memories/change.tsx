/** The three ways to change a memory by hand: new words, an end, deletion. */

import { useState } from "preact/hooks";
import type { Memory, MemoryType } from "../../../../memories/schema.ts";
import { useCommand } from "../../live.ts";
import { FormDialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { useToast } from "../../parts/toast.tsx";
import { useProject } from "../../project.ts";
import { go } from "../../route.ts";
import { instantOf, localInput } from "../../parts/local_time.ts";
import { TYPES } from "./filter.ts";

interface ChangeProps {
  readonly memory: Memory;
  readonly close: () => void;
  readonly done: () => void;
}

/** Refused when somebody else has changed the memory since it was shown. */
export function EditMemory({ memory, close, done }: ChangeProps) {
  const { api } = useProject();
  const tell = useToast();
  const [content, setContent] = useState(memory.memory);
  const [type, setType] = useState<string>(memory.memory_type);
  const [importance, setImportance] = useState(String(memory.importance));
  const save = useCommand(async () => {
    await api.call("PUT", `/memories/${memory.id}`, {
      body: {
        ...(content === memory.memory ? {} : { content }),
        memory_type: type as MemoryType,
        importance: Number(importance),
        version: memory.updated_at,
      },
    });
    tell("Saved");
    done();
  });
  return (
    <FormDialog
      title="Edit the memory"
      action="Save"
      close={close}
      running={save.running}
      failure={save.failure}
      submit={save.run}
      disabled={content.trim() === ""}
      wide
    >
      <TextField label="Text" lines={4} value={content} change={setContent} required autoFocus />
      <div class="form-row">
        <SelectField label="Type" value={type} change={setType} options={Object.entries(TYPES)} />
        <ImportanceField value={importance} change={setImportance} />
      </div>
    </FormDialog>
  );
}

/** A slider from 0 to 1. */
export function ImportanceField(
  { value, change }: { readonly value: string; readonly change: (value: string) => void },
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
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}

export function EndMemory({ memory, close, done }: ChangeProps) {
  const { api } = useProject();
  const tell = useToast();
  const [at, setAt] = useState(localInput(memory.valid_to ?? new Date().toISOString()));
  const end = useCommand(async () => {
    await api.call("POST", `/browse/memories/${memory.id}/end`, {
      body: { valid_to: instantOf(at) },
    });
    tell("The memory's end is set");
    done();
  });
  return (
    <FormDialog
      title="When did it stop being true?"
      action="Set its end"
      close={close}
      running={end.running}
      failure={end.failure}
      submit={end.run}
      disabled={at === ""}
    >
      <p>
        It stays in the history and can still be found, below what holds now. Views show its value
        up to this moment.
      </p>
      <TextField
        label="Holds until"
        type="datetime-local"
        value={at}
        change={setAt}
        required
        autoFocus
      />
    </FormDialog>
  );
}

export function DeleteMemory({ memory, close }: Omit<ChangeProps, "done">) {
  const { api, link } = useProject();
  const tell = useToast();
  const remove = useCommand(async () => {
    await api.call("DELETE", `/memories/${memory.id}`);
    tell("The memory is deleted");
    go(link("/memories"));
  });
  return (
    <FormDialog
      title="Delete this memory?"
      action="Delete"
      danger
      close={close}
      running={remove.running}
      failure={remove.failure}
      submit={remove.run}
    >
      <blockquote class="quoted clamp" dir="auto">{memory.memory}</blockquote>
      <p>
        It is gone from every list, search and view at once. Its history stays. If it was true once
        and isn't any more, end it instead.
      </p>
    </FormDialog>
  );
}
