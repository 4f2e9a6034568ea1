/** The keys of a project, its switches, and its end. */

import { useState } from "preact/hooks";
import type { ApiKey, ProjectSettings } from "../../schema.ts";
import { call } from "../api.ts";
import { useCommand, useLoaded } from "../live.ts";
import { Badge } from "../parts/badge.tsx";
import { Id } from "../parts/copy.tsx";
import { FormDialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { CheckField, TextField } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Section } from "../parts/section.tsx";
import { type Column, Table, Waiting } from "../parts/table.tsx";
import { useToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { useProject, useProjectList } from "../project.ts";
import { go, href, SERVICE } from "../route.ts";
import { NewKey } from "./new_key.tsx";

export function Settings() {
  return (
    <>
      <PageHead title="Keys and settings" />
      <Keys />
      <Derivation />
      <End />
    </>
  );
}

function Keys() {
  const place = useProject();
  const [adding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const keys = useLoaded(
    (signal) => place.api.get<{ results: readonly ApiKey[] }>("/keys", {}, signal),
    [place.id],
  );
  const columns: readonly Column<ApiKey>[] = [
    { title: "Name", cell: ({ name }) => name === "" ? <span class="muted">no name</span> : name },
    { title: "Begins with", cell: ({ prefix }) => <code>{prefix}…</code> },
    {
      title: "May",
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
        last_used_at === null ? <span class="muted">never</span> : <When at={last_used_at} />,
    },
    {
      title: "Created",
      kind: "end",
      optional: true,
      cell: ({ created_at }) => <When at={created_at} as="day" />,
    },
    {
      title: "Actions",
      kind: "action",
      cell: (key) => (
        <button
          type="button"
          class="button small"
          aria-label={`Revoke the key ${key.name || key.prefix}`}
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
      lead="An application shows its key with every call. A key is shown once, when it is made."
      actions={list !== undefined && list.length > 0 && add}
    >
      <Problem failure={keys.failure} retry={keys.reload} />
      {list === undefined
        ? keys.failure === undefined && <Waiting lines={2} />
        : list.length === 0
        ? (
          <Empty icon="key" title="No keys">
            <span>Make one to let an application in.</span>
            {add}
          </Empty>
        )
        : <Table label="Keys" columns={columns} items={list} keyOf={({ id }) => id} />}
      {adding && <NewKey close={() => setAdding(false)} made={keys.reload} />}
      {revoking && (
        <Revoke
          apiKey={revoking}
          close={() => setRevoking(undefined)}
          done={keys.reload}
        />
      )}
    </Section>
  );
}

interface RevokeProps {
  readonly apiKey: ApiKey;
  readonly close: () => void;
  readonly done: () => void;
}

function Revoke({ apiKey, close, done }: RevokeProps) {
  const place = useProject();
  const tell = useToast();
  const revoke = useCommand(async () => {
    await place.api.call("DELETE", `/keys/${apiKey.id}`);
    tell("The key is revoked");
    done();
    close();
  });
  return (
    <FormDialog
      title={`Revoke ${apiKey.name === "" ? "this key" : `“${apiKey.name}”`}?`}
      action="Revoke the key"
      danger
      close={close}
      running={revoke.running}
      failure={revoke.failure}
      submit={revoke.run}
    >
      <p>
        Whoever uses <code>{apiKey.prefix}…</code>{" "}
        is refused from the next call on. This can't be taken back.
      </p>
    </FormDialog>
  );
}

function Derivation() {
  const place = useProject();
  const tell = useToast();
  const settings = useLoaded(
    (signal) => place.api.get<ProjectSettings>("", {}, signal),
    [place.id],
  );
  const change = useCommand(async (derivation: boolean) => {
    await place.api.call("PUT", "", { body: { derivation } });
    tell(derivation ? "Derived views are being built" : "Derived views are off");
    settings.reload();
  });
  const { value } = settings;
  return (
    <Section title="Derived views" card>
      <Problem failure={settings.failure ?? change.failure} />
      <CheckField
        label="Derive state, beliefs and profiles from memories"
        hint="Switched off, nothing is derived and the views answer so; switched on again, they are rebuilt."
        checked={value?.derivation ?? false}
        disabled={value === undefined || change.running}
        change={change.run}
      />
    </Section>
  );
}

function End() {
  const place = useProject();
  const [asking, setAsking] = useState(false);
  return (
    <Section title="The project itself" card>
      <div class="ends">
        <div>
          <p>
            <b>{place.name}</b> <Id of={place.id} />
          </p>
          <p class="hint">Deleting it removes every memory, document, key and history of it.</p>
        </div>
        <button type="button" class="button danger" onClick={() => setAsking(true)}>
          <Icon name="trash" />
          Delete the project
        </button>
      </div>
      {asking && <DeleteProject close={() => setAsking(false)} />}
    </Section>
  );
}

function DeleteProject({ close }: { close: () => void }) {
  const place = useProject();
  const projectList = useProjectList();
  const tell = useToast();
  const [typed, setTyped] = useState("");
  const remove = useCommand(async () => {
    await call("DELETE", `/projects/${place.id}`);
    tell(`Project ${place.name} is deleted`);
    projectList.reload();
    go(href(SERVICE, "/projects"));
  });
  return (
    <FormDialog
      title={`Delete the project ${place.name}?`}
      action="Delete everything in it"
      danger
      close={close}
      running={remove.running}
      disabled={typed !== place.name}
      failure={remove.failure}
      submit={remove.run}
    >
      <p>
        Its keys stop working at once, and everything that it holds is removed for good. An export
        made before is the only way back.
      </p>
      <TextField
        label={`Type ${place.name} to go on`}
        value={typed}
        change={setTyped}
        autoFocus
        required
      />
    </FormDialog>
  );
}
