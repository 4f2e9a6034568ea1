/** The settings page: keys, derived views and deleting the project. */

import { useState } from "preact/hooks";
import type { ApiKey, ProjectSettings } from "../../schema.ts";
import { call } from "../api.ts";
import { useMutation, useResource } from "../hooks.ts";
import { Badge } from "../parts/data/badge.tsx";
import { Id } from "../parts/feedback/copy_button.tsx";
import { FormDialog } from "../parts/forms/dialog.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { CheckField, TextField } from "../parts/forms/fields.tsx";
import { RevokeDialog } from "../parts/forms/revoke_dialog.tsx";
import { Icon } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { Section } from "../parts/layout/section.tsx";
import { type Column, LoadingRows, Table } from "../parts/data/table.tsx";
import { useToast } from "../parts/feedback/toast.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import { useProject, useProjectList } from "../project.ts";
import { href, navigate, SERVICE_SEGMENT } from "../route.ts";
import { NewKey } from "./new_key.tsx";

export function Settings() {
  return (
    <>
      <PageHeader title="Keys and settings" />
      <Keys />
      <Derivation />
      <DangerZone />
    </>
  );
}

function Keys() {
  const project = useProject();
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const keys = useResource(
    (signal) => project.api.get<{ results: readonly ApiKey[] }>("/keys", {}, signal),
    [project.id],
  );
  const columns: readonly Column<ApiKey>[] = [
    { title: "Name", cell: ({ name }) => name === "" ? <span class="muted">unnamed</span> : name },
    { title: "Prefix", cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      title: "Permissions",
      kind: "grow",
      cell: ({ permissions }) => (
        <span class="badges">
          {permissions.map((permission) => <Badge key={permission}>{permission}</Badge>)}
        </span>
      ),
    },
    {
      title: "Last used",
      kind: "end",
      cell: ({ last_used_at }) =>
        last_used_at === null ? <span class="muted">never</span> : <Timestamp at={last_used_at} />,
    },
    {
      title: "Created",
      kind: "end",
      optional: true,
      cell: ({ created_at }) => <Timestamp at={created_at} as="day" />,
    },
    {
      title: "Actions",
      kind: "action",
      cell: (key) => (
        <button
          type="button"
          class="button small"
          aria-label={`Revoke key ${key.name || key.prefix}`}
          onClick={() => setRevoking(key)}
        >
          Revoke
        </button>
      ),
    },
  ];
  const add = (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      New key
    </button>
  );
  const list = keys.value?.results;
  return (
    <Section
      title="Keys"
      lead="Applications send their key with every request. A key is shown only once, when you create it."
      actions={list !== undefined && list.length > 0 && add}
    >
      <ErrorMessage failure={keys.failure} onRetry={keys.reload} />
      {list === undefined
        ? keys.failure === undefined && <LoadingRows lines={2} />
        : list.length === 0
        ? (
          <EmptyState icon="key" title="No keys">
            <span>Create one to give an application access.</span>
            {add}
          </EmptyState>
        )
        : <Table label="Keys" columns={columns} items={list} keyOf={({ id }) => id} />}
      {adding && <NewKey onClose={() => setAdding(false)} onCreated={keys.reload} />}
      {revoking && (
        <RevokeKey
          apiKey={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={keys.reload}
        />
      )}
    </Section>
  );
}

interface RevokeKeyProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RevokeKey({ apiKey, onClose, onDone }: RevokeKeyProps) {
  return (
    <RevokeDialog
      path={`/keys/${apiKey.id}`}
      title={`Revoke ${apiKey.name === "" ? "this key" : `“${apiKey.name}”`}?`}
      submitLabel="Revoke key"
      doneText="Key revoked"
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        Requests with <code>{apiKey.prefix}…</code> are refused from now on. This cannot be undone.
      </p>
    </RevokeDialog>
  );
}

function Derivation() {
  const project = useProject();
  const showToast = useToast();
  const settings = useResource(
    (signal) => project.api.get<ProjectSettings>("", {}, signal),
    [project.id],
  );
  const change = useMutation(async (derivation: boolean) => {
    await project.api.call("PUT", "", { body: { derivation } });
    showToast(derivation ? "Derived views are being rebuilt" : "Derived views are off");
    settings.reload();
  });
  const { value } = settings;
  return (
    <Section title="Derived views" card>
      <ErrorMessage failure={settings.failure ?? change.failure} />
      <CheckField
        label="Derive state, beliefs and profiles from memories"
        hint="When off, views are unavailable. Turning this back on rebuilds them."
        checked={value?.derivation ?? false}
        disabled={value === undefined || change.running}
        onChange={change.run}
      />
    </Section>
  );
}

function DangerZone() {
  const project = useProject();
  const [confirming, setConfirming] = useState(false);
  return (
    <Section title="Delete this project" card>
      <div class="ends">
        <div>
          <p>
            <b>{project.name}</b> <Id of={project.id} />
          </p>
          <p class="hint">Deletes every memory, document, key and history record of the project.</p>
        </div>
        <button type="button" class="button danger" onClick={() => setConfirming(true)}>
          <Icon name="trash" />
          Delete project
        </button>
      </div>
      {confirming && <DeleteProject onClose={() => setConfirming(false)} />}
    </Section>
  );
}

function DeleteProject({ onClose }: { onClose: () => void }) {
  const project = useProject();
  const projectList = useProjectList();
  const showToast = useToast();
  const [typed, setTyped] = useState("");
  const remove = useMutation(async () => {
    await call("DELETE", `/projects/${project.id}`);
    showToast(`Project ${project.name} deleted`);
    projectList.reload();
    navigate(href(SERVICE_SEGMENT, "/projects"));
  });
  return (
    <FormDialog
      title={`Delete the project ${project.name}?`}
      submitLabel="Delete everything"
      danger
      onClose={onClose}
      running={remove.running}
      disabled={typed !== project.name}
      failure={remove.failure}
      onSubmit={remove.run}
    >
      <p>
        Its keys stop working immediately, and all its data is deleted permanently. You can restore
        it only from an earlier export.
      </p>
      <TextField
        label={`Type ${project.name} to confirm`}
        value={typed}
        onChange={setTyped}
        autoFocus
        required
      />
    </FormDialog>
  );
}
