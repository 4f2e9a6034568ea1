/** The connections page: clients that signed in, what they may do, and how it came about. */

import { useState } from "preact/hooks";
import type { AuditEntry, Connection } from "../../schema.ts";
import { useResource } from "../hooks.ts";
import { Badge } from "../parts/data/badge.tsx";
import { type Column, LoadingRows, Table } from "../parts/data/table.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import { EmptyState } from "../parts/feedback/empty_state.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { RevokeDialog } from "../parts/forms/revoke_dialog.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { Section } from "../parts/layout/section.tsx";
import { useProject } from "../project.ts";

interface ConnectionList {
  readonly results: readonly Connection[];
  readonly audit_log: readonly AuditEntry[];
}

/** Statuses in which a client has access, or is about to get it. */
const OPEN_STATUSES: readonly Connection["status"][] = ["approved", "active"];

const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { title: "Event", kind: "grow", cell: ({ event }) => event.replaceAll("_", " ") },
  { title: "About", cell: (entry) => <Subject entry={entry} /> },
  { title: "Time", kind: "end", cell: ({ at }) => <Timestamp at={at} /> },
];

export function Connections() {
  const project = useProject();
  const [revoking, setRevoking] = useState<Connection>();
  const list = useResource(
    (signal) => project.api.get<ConnectionList>("/connections", {}, signal),
    [project.id],
    10_000,
  );
  const { results, audit_log } = list.value ?? {};
  return (
    <>
      <PageHeader
        title="Connections"
        lead="Programs that signed in and were allowed to use this project through MCP."
      />
      <ErrorMessage failure={list.failure} onRetry={list.reload} />
      {results === undefined && list.failure === undefined && <LoadingRows lines={3} />}
      {results?.length === 0 && (
        <EmptyState icon="link" title="No connections">
          <span>
            Add <code>{`${location.origin}/mcp`}</code>{" "}
            as a connector, for example in ChatGPT or Claude. It opens this dashboard and asks you.
          </span>
        </EmptyState>
      )}
      {results !== undefined && results.length > 0 && (
        <Table
          label="Connections"
          columns={connectionColumns(setRevoking)}
          items={results}
          keyOf={({ id }) => id}
        />
      )}
      {audit_log !== undefined && audit_log.length > 0 && (
        <Section title="Audit log">
          <Table
            label="Audit log"
            columns={AUDIT_COLUMNS}
            items={audit_log}
            keyOf={({ at, event, connection_id, request_id }) =>
              `${at} ${event} ${connection_id} ${request_id}`}
          />
        </Section>
      )}
      {revoking && (
        <RevokeConnection
          connection={revoking}
          onClose={() => setRevoking(undefined)}
          onDone={list.reload}
        />
      )}
    </>
  );
}

/** Shows what an event is about: a connection, or the client or address that has none. */
function Subject({ entry: { connection_id, details } }: { entry: AuditEntry }) {
  if (connection_id !== null) return <code>{connection_id}</code>;
  const { client_name, method, address } = details;
  return (
    <span dir="auto">
      {typeof client_name === "string"
        ? client_name
        : `${method ?? ""} from ${address || "an unknown address"}`}
    </span>
  );
}

function connectionColumns(onRevoke: (connection: Connection) => void): Column<Connection>[] {
  return [
    { title: "Client", cell: ({ client_name }) => <b dir="auto">{client_name}</b> },
    { title: "Access", kind: "grow", cell: (connection) => <Access connection={connection} /> },
    {
      title: "Status",
      cell: ({ status, ended_by }) => (
        <Badge>{ended_by === null ? status : `${status}: ${ended_by.replaceAll("_", " ")}`}</Badge>
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
      cell: (connection) =>
        OPEN_STATUSES.includes(connection.status) && (
          <button
            type="button"
            class="button small"
            aria-label={`Revoke the connection of ${connection.client_name}`}
            onClick={() => onRevoke(connection)}
          >
            Revoke
          </button>
        ),
    },
  ];
}

function Access({ connection }: { connection: Connection }) {
  const { permissions, user_id, agent_id, run_id } = connection;
  const scopes = Object.entries({ user: user_id, agent: agent_id, run: run_id })
    .filter(([, value]) => value !== null);
  return (
    <span class="badges">
      {permissions.map((permission) => <Badge key={permission}>{permission}</Badge>)}
      {scopes.map(([name, value]) => <Badge key={name}>{`${name} ${value}`}</Badge>)}
    </span>
  );
}

interface RevokeConnectionProps {
  readonly connection: Connection;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function RevokeConnection({ connection, onClose, onDone }: RevokeConnectionProps) {
  return (
    <RevokeDialog
      path={`/connections/${connection.id}`}
      title={`Revoke the connection of “${connection.client_name}”?`}
      submitLabel="Revoke connection"
      doneText="Connection revoked"
      onClose={onClose}
      onDone={onDone}
    >
      <p>Its tokens stop working at once. To use the project again, the program has to ask you.</p>
    </RevokeDialog>
  );
}
