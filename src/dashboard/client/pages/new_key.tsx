/** Making a key, and the only time that it is shown. */

import { useState } from "preact/hooks";
import type { Permission } from "../../../contract/endpoint.ts";
import type { CreatedKey } from "../../schema.ts";
import { useCommand } from "../live.ts";
import { Copy } from "../parts/copy.tsx";
import { Dialog, FormDialog } from "../parts/dialog.tsx";
import { CheckField, TextField } from "../parts/fields.tsx";
import { useProject } from "../project.ts";

/** What each permission means, in the order in which they are offered. */
const PERMISSIONS: readonly (readonly [name: Permission, meaning: string])[] = [
  ["memory:read", "Read and search memories and documents"],
  ["memory:write", "Add, change and delete memories and documents"],
  ["operations:read", "Read operations, events and health"],
];

interface NewKeyProps {
  readonly close: () => void;
  /** Called when a key was made. */
  readonly made: () => void;
}

export function NewKey({ close, made }: NewKeyProps) {
  const place = useProject();
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState(() => PERMISSIONS.map(([each]) => each));
  const [created, setCreated] = useState<CreatedKey>();
  const create = useCommand(async () => {
    const body = { name, permissions };
    setCreated(await place.api.call<CreatedKey>("POST", "/keys", { body }));
    made();
  });
  if (created !== undefined) return <Shown created={created} close={close} />;
  return (
    <FormDialog
      title="New key"
      action="Make the key"
      close={close}
      running={create.running}
      disabled={permissions.length === 0}
      failure={create.failure}
      submit={create.run}
    >
      <TextField
        label="Name"
        hint="For you to tell it from others: the application that uses it"
        value={name}
        change={setName}
        placeholder="support-bot"
        autoFocus
      />
      <fieldset class="form">
        <legend class="legend">What it may do</legend>
        {PERMISSIONS.map(([permission, meaning]) => (
          <CheckField
            key={permission}
            label={<code>{permission}</code>}
            hint={meaning}
            checked={permissions.includes(permission)}
            change={(on) =>
              setPermissions(
                PERMISSIONS.map(([each]) => each).filter((each) =>
                  each === permission ? on : permissions.includes(each)
                ),
              )}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

function Shown({ created, close }: { created: CreatedKey; close: () => void }) {
  const example = `curl ${location.origin}/v1/memories \\
  -H "Authorization: Bearer ${created.key}" \\
  -H "Content-Type: application/json" \\
  -d '{"user_id": "ana", "content": "Ana moved to Porto.", "infer": false}'`;
  return (
    <Dialog title="The new key" close={close} wide>
      <p>
        Copy it now: <b>it is shown only this once.</b> Of it only a hash is kept.
      </p>
      <div class="secret">
        <code>{created.key}</code>
        <Copy text={created.key} label="Copy the key" words="Copy" />
      </div>
      <p class="muted">A first memory with it:</p>
      <div class="json">
        <pre tabIndex={0} role="region" aria-label="Example"><code>{example}</code></pre>
        <Copy text={example} label="Copy the example" />
      </div>
      <div class="form-actions">
        <button type="button" class="button primary" onClick={close}>I have copied it</button>
      </div>
    </Dialog>
  );
}
