/** The dialog that creates a key and shows it once. */

import { useState } from "preact/hooks";
import type { CreatedKey } from "../../schema.ts";
import { useMutation } from "../hooks.ts";
import { CopyButton } from "../parts/feedback/copy_button.tsx";
import { Dialog, FormDialog } from "../parts/forms/dialog.tsx";
import { TextField } from "../parts/forms/fields.tsx";
import { PERMISSION_NAMES, PermissionFields } from "../parts/forms/permission_fields.tsx";
import { useProject } from "../project.ts";

interface NewKeyProps {
  readonly onClose: () => void;
  /** Called once the key is created. */
  readonly onCreated: () => void;
}

export function NewKey({ onClose, onCreated }: NewKeyProps) {
  const project = useProject();
  const [name, setName] = useState("");
  const [permissions, setPermissions] = useState(PERMISSION_NAMES);
  const [created, setCreated] = useState<CreatedKey>();
  const create = useMutation(async () => {
    const body = { name, permissions };
    setCreated(await project.api.call<CreatedKey>("POST", "/keys", { body }));
    onCreated();
  });
  if (created !== undefined) return <CreatedKeyDialog created={created} onClose={onClose} />;
  return (
    <FormDialog
      title="New key"
      submitLabel="Create key"
      onClose={onClose}
      running={create.running}
      disabled={permissions.length === 0}
      failure={create.failure}
      onSubmit={create.run}
    >
      <TextField
        label="Name"
        hint="Helps you recognize the key, for example the application that uses it"
        value={name}
        onChange={setName}
        placeholder="support-bot"
        autoFocus
      />
      <PermissionFields value={permissions} onChange={setPermissions} />
    </FormDialog>
  );
}

function CreatedKeyDialog({ created, onClose }: { created: CreatedKey; onClose: () => void }) {
  const example = `curl ${location.origin}/v1/memories \\
  -H "Authorization: Bearer ${created.key}" \\
  -H "Content-Type: application/json" \\
  -d '{"user_id": "ana", "content": "Ana moved to Porto.", "infer": false}'`;
  return (
    <Dialog title="Key created" onClose={onClose} wide>
      <p>
        Copy it now. <b>It is shown only once</b>, because only its hash is stored.
      </p>
      <div class="secret">
        <code>{created.key}</code>
        <CopyButton text={created.key} label="Copy key" caption="Copy" />
      </div>
      <p class="muted">Use it to add a memory:</p>
      <div class="json">
        <pre tabIndex={0} role="region" aria-label="Example"><code>{example}</code></pre>
        <CopyButton text={example} label="Copy example" />
      </div>
      <div class="form-actions">
        <button type="button" class="button primary" onClick={onClose}>I have copied it</button>
      </div>
    </Dialog>
  );
}
