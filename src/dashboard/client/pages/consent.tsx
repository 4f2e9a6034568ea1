/**
 * The consent page: a client asks for access, and the owner decides what it gets. Outside of the
 * frame, so nothing distracts from the question.
 */

import { useEffect, useState } from "preact/hooks";
import type { Permission } from "../../../contract/endpoint.ts";
import type { ConsentRequest, ProjectSummary } from "../../schema.ts";
import { call } from "../api.ts";
import { useMutation, useResource } from "../hooks.ts";
import { DetailList } from "../parts/data/detail_list.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { SelectField, TextField } from "../parts/forms/fields.tsx";
import { PermissionFields } from "../parts/forms/permission_fields.tsx";
import { SCOPE_FIELDS } from "../parts/forms/scope_fields.tsx";

type FixedScope = Readonly<Partial<Record<typeof SCOPE_FIELDS[number][0], string>>>;

interface ConsentProps {
  /** The client's request, as it put it into the address. */
  readonly request: string;
}

export function Consent({ request }: ConsentProps) {
  const [target, setTarget] = useState<string>();
  const asked = useResource(
    (signal) => call<ConsentRequest>("GET", "/authorization", { query: { request }, signal }),
    [request],
  );
  const list = useResource(
    (signal) => call<{ results: readonly ProjectSummary[] }>("GET", "/projects", { signal }),
    [],
  );
  useEffect(() => {
    document.title = "Connect · Commonplace";
  }, []);
  const leave = (address: string) => {
    setTarget(address);
    location.assign(address);
  };
  const failure = asked.failure ?? list.failure;
  const returnTo = failure?.details["return_to"];
  return (
    <main class="sign-in">
      <div class="sign-in-card consent">
        <img src="/dashboard/assets/icon.svg" alt="" width="40" height="40" />
        {failure !== undefined && (
          <>
            <h1>This program can’t be connected</h1>
            <ErrorMessage failure={failure} />
            {typeof returnTo === "string" && (
              <button
                type="button"
                class="button block"
                onClick={() => leave(returnTo)}
              >
                Return to {new URL(returnTo).host || "the program"}
              </button>
            )}
          </>
        )}
        {failure === undefined && (asked.value === undefined || list.value === undefined) &&
          <h1 class="muted">Loading…</h1>}
        {failure === undefined && asked.value !== undefined && list.value !== undefined && (
          target === undefined
            ? (
              <Decision
                request={request}
                asked={asked.value}
                projects={list.value.results}
                onDecided={leave}
              />
            )
            : <Decided asked={asked.value} />
        )}
      </div>
    </main>
  );
}

interface DecisionProps extends ConsentProps {
  readonly asked: ConsentRequest;
  readonly projects: readonly ProjectSummary[];
  /** Called with the address that the browser has to go to. */
  readonly onDecided: (address: string) => void;
}

function Decision({ request, asked, projects, onDecided }: DecisionProps) {
  const [projectId, setProjectId] = useState(projects[0]?.id ?? "");
  const [permissions, setPermissions] = useState<readonly Permission[]>(asked.permissions);
  const [scope, setScope] = useState<FixedScope>({});
  const decide = useMutation(async (approve: boolean) => {
    const grant = { project_id: projectId, permissions, ...scope };
    const body = { request, approve, ...(approve ? grant : {}) };
    const { redirect_to } = await call<{ redirect_to: string }>("POST", "/authorization", { body });
    onDecided(redirect_to);
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        decide.run(true);
      }}
    >
      <h1>Connect “{asked.client.name}”?</h1>
      <p>
        A program that calls itself <b dir="auto">{asked.client.name}</b>{" "}
        asks for access to your memories and documents. {asked.client.known
          ? "You have connected it before."
          : "Continue only if you have just started this in the program."}
      </p>
      <DetailList of={[["You’ll be sent to", <Destination key="to" asked={asked} />]]} />
      <SelectField
        label="Project"
        hint="The program gets access to this project only"
        value={projectId}
        onChange={setProjectId}
        options={projects.map(({ id, name }) => [id, name])}
      />
      <PermissionFields
        offered={asked.permissions}
        value={permissions}
        onChange={setPermissions}
      />
      <ScopeLimits value={scope} onChange={setScope} />
      <ErrorMessage failure={decide.failure} />
      <div class="form-actions">
        <button
          type="button"
          class="button"
          disabled={decide.running}
          onClick={() => decide.run(false)}
        >
          Refuse
        </button>
        <button
          type="submit"
          class="button primary"
          disabled={decide.running || permissions.length === 0 || projectId === ""}
        >
          Allow
        </button>
      </div>
      <p class="hint">You can revoke the connection at any time, under Connections.</p>
    </form>
  );
}

/** Shows where the browser will go: the host first, since programs can choose any name but not any host. */
function Destination({ asked: { redirect } }: { asked: ConsentRequest }) {
  const what = {
    web: redirect.host,
    loopback: "a program on this computer",
    app: `an app on this device (${new URL(redirect.uri).protocol})`,
  }[redirect.kind];
  return (
    <>
      <b>{what}</b>
      <br />
      <code class="address">{redirect.uri}</code>
    </>
  );
}

function ScopeLimits(
  { value, onChange }: { value: FixedScope; onChange: (scope: FixedScope) => void },
) {
  return (
    <details>
      <summary>Limit to one user, agent or run</summary>
      <div class="form">
        {SCOPE_FIELDS.map(([key, label]) => (
          <TextField
            key={key}
            label={label}
            value={value[key] ?? ""}
            placeholder="Any"
            onChange={(text) => {
              const { [key]: _, ...others } = value;
              onChange(text.trim() === "" ? others : { ...others, [key]: text });
            }}
          />
        ))}
      </div>
    </details>
  );
}

/** Stays visible if the address opens an app, or nothing listens there. */
function Decided({ asked }: { asked: ConsentRequest }) {
  return (
    <div role="status">
      <h1>Sending you back to “{asked.client.name}”</h1>
      <p class="muted">You can close this page once the program has continued.</p>
    </div>
  );
}
