/** The connect page. Creates a key for a client and shows what to paste, run or open. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Permission } from "../../../contract/endpoint.ts";
import type { ConnectableClient, ConnectInstructions } from "../../schema.ts";
import { useMutation, useResource } from "../hooks.ts";
import { LoadingRows } from "../parts/data/table.tsx";
import { CopyButton } from "../parts/feedback/copy_button.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { SelectField, TextField } from "../parts/forms/fields.tsx";
import { PERMISSION_NAMES, PermissionFields } from "../parts/forms/permission_fields.tsx";
import { Icon } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { Section } from "../parts/layout/section.tsx";
import { useProject } from "../project.ts";

export function Connect() {
  const project = useProject();
  const list = useResource(
    (signal) => project.api.get<{ results: readonly ConnectableClient[] }>("/connect", {}, signal),
    [project.id],
  );
  const clients = list.value?.results;
  return (
    <>
      <PageHeader
        title="Connect"
        lead="Use this project in Claude, Cursor, VS Code and other programs. Each one gets a key of its own."
      />
      <ErrorMessage failure={list.failure} onRetry={list.reload} />
      {clients === undefined && list.failure === undefined && <LoadingRows lines={4} />}
      {clients !== undefined && <ConnectClient clients={clients} />}
    </>
  );
}

function ConnectClient({ clients }: { clients: readonly ConnectableClient[] }) {
  const project = useProject();
  const [id, setId] = useState(clients[0]!.id);
  const [userId, setUserId] = useState("");
  const [permissions, setPermissions] = useState<readonly Permission[]>(PERMISSION_NAMES);
  const [result, setResult] = useState<ConnectInstructions>();
  const client = clients.find((client) => client.id === id)!;
  const create = useMutation(async () => {
    const body = {
      client: id,
      url: location.origin,
      permissions,
      ...(userId.trim() === "" ? {} : { user_id: userId }),
    };
    setResult(await project.api.call<ConnectInstructions>("POST", "/connect", { body }));
  });
  // The instructions belong to the values of the form, and their key is shown only once.
  const isLocked = create.running || result !== undefined;
  // A field that is locked loses the focus. Afterwards, it starts again at the first one.
  const form = useRef<HTMLFormElement>(null);
  const wasLocked = useRef(false);
  useEffect(() => {
    if (wasLocked.current && !isLocked) form.current?.querySelector("select")?.focus();
    wasLocked.current = isLocked;
  }, [isLocked]);
  return (
    <>
      <Section title="Choose a client" card>
        <form
          ref={form}
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            create.run();
          }}
        >
          <fieldset class="form" disabled={isLocked}>
            <SelectField
              label="Client"
              value={id}
              onChange={setId}
              options={clients.map(({ id, title }) => [id, title])}
            />
            <TextField
              label="User"
              hint="Limits the client to one user's memories. If empty, the client names a user in each call"
              value={userId}
              onChange={setUserId}
              placeholder="ana"
            />
            <PermissionFields value={permissions} onChange={setPermissions} />
          </fieldset>
          <ErrorMessage failure={create.failure} />
          <div class="form-actions">
            <button
              type="submit"
              class="button primary"
              disabled={isLocked || permissions.length === 0}
            >
              Create key
            </button>
          </div>
        </form>
      </Section>
      {result !== undefined && (
        <Instructions
          client={client}
          result={result}
          onClose={() => setResult(undefined)}
        />
      )}
    </>
  );
}

interface InstructionsProps {
  readonly client: ConnectableClient;
  readonly result: ConnectInstructions;
  readonly onClose: () => void;
}

function Instructions({ client, result, onClose }: InstructionsProps) {
  const { files, title } = client;
  const { link, command, text, next } = result;
  const steps = useRef<HTMLDivElement>(null);
  useEffect(() => steps.current?.focus(), []);
  return (
    <Section
      title={`Connect ${title}`}
      lead="The key is shown only now. You can revoke it under Keys and settings."
      actions={
        <button type="button" class="button" onClick={onClose}>Connect another client</button>
      }
    >
      <div ref={steps} class="connect-steps" tabIndex={-1} role="group" aria-label="Key created">
        {link !== null && (
          <>
            <h3>With a link</h3>
            <p>
              <a class="button primary" href={link}>
                <Icon name="link" />
                Add to {title}
              </a>
            </p>
          </>
        )}
        {command !== null && (
          <>
            <h3>With a command</h3>
            <Snippet label="Command" text={command} />
          </>
        )}
        <h3>In a file</h3>
        <p>
          Add this to <code>{files[operatingSystem()]}</code>
        </p>
        <Snippet label="Configuration" text={text.trimEnd()} />
        <p>{next}</p>
      </div>
    </Section>
  );
}

function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div class="json">
      <pre tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}

/** Returns the system that the browser runs on. */
function operatingSystem(): keyof ConnectableClient["files"] {
  const { userAgent } = navigator;
  if (userAgent.includes("Windows")) return "windows";
  return userAgent.includes("Mac OS") ? "darwin" : "linux";
}
