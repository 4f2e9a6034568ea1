/** The health page. Shows the state of the service and its projects, and lists every problem. */

import type { InstanceHealth } from "../../schema.ts";
import { call } from "../api.ts";
import { useResource } from "../hooks.ts";
import { Badge, StatusBadge } from "../parts/data/badge.tsx";
import { DetailList } from "../parts/data/detail_list.tsx";
import { formatBytes, formatCount } from "../parts/data/number_format.ts";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { Section } from "../parts/layout/section.tsx";
import { LoadingRows } from "../parts/data/table.tsx";
import { formatDuration, Timestamp } from "../parts/data/timestamp.tsx";
import { href } from "../route.ts";
import { healthChecks } from "./health_checks.ts";

export function Health() {
  const loaded = useResource(
    (signal) => call<InstanceHealth>("GET", "/health", { signal }),
    [],
    5_000,
  );
  const instance = loaded.value;
  return (
    <>
      <PageHeader
        title="Health"
        lead="The state of the service and its projects, checked every 5 seconds."
      />
      <ErrorMessage failure={loaded.failure} onRetry={loaded.reload} />
      {instance === undefined ? loaded.failure === undefined && <LoadingRows /> : (
        <>
          <Verdict instance={instance} />
          <Section title="Service" card>
            <DetailList
              of={Object.entries({
                Version: `${instance.version}, schema ${instance.schema}`,
                Started: <Timestamp at={instance.started_at} as="moment" />,
                Uptime: formatDuration(
                  Date.parse(instance.checked_at) - Date.parse(instance.started_at),
                ),
                Database: formatBytes(instance.database_bytes),
                "Memory in use": formatBytes(instance.resident_bytes),
                Checked: <Timestamp at={instance.checked_at} />,
              })}
            />
          </Section>
          {instance.processes.length > 0 && <Processes of={instance.processes} />}
          {instance.projects.map((project) =>
            instance.projects.length > 1 && isHealthy(project)
              ? <HealthyProject key={project.id} project={project} />
              : <ProjectHealth key={project.id} project={project} />
          )}
          {instance.project_count > instance.projects.length && (
            <p class="faint">
              {formatCount(instance.projects.length)} of {formatCount(instance.project_count)}{" "}
              projects are shown: first those with failed work, then those with pending work.
            </p>
          )}
        </>
      )}
    </>
  );
}

/** The processes of the service, if it has several on one database. */
function Processes({ of }: { of: InstanceHealth["processes"] }) {
  return (
    <Section title="Processes" card>
      <DetailList
        of={of.map(({ id, version, since, leads, copies }) => [
          id,
          <span key={id}>
            {version}, since <Timestamp at={since} as="moment" /> {leads && <Badge>leads</Badge>}
            {copies !== null && <SearchCopies of={copies} />}
          </span>,
        ])}
      />
    </Section>
  );
}

function SearchCopies(
  { of }: { of: NonNullable<InstanceHealth["processes"][number]["copies"]> },
) {
  const { projects, filling, bytes, current_at } = of;
  return (
    <div class="muted">
      Search copies: {projects} {projects === 1 ? "project" : "projects"}, {formatBytes(bytes)},
      {" "}
      {current_at === null ? "not checked yet" : (
        <>
          up to date <Timestamp at={current_at} />
        </>
      )}
      {filling > 0 && <Badge tone="busy">{filling} being filled</Badge>}
    </div>
  );
}

function Verdict({ instance }: { instance: InstanceHealth }) {
  const degraded = instance.projects.filter(({ health }) => health.status !== "ok");
  if (degraded.length === 0) {
    const isComplete = instance.projects.length === instance.project_count;
    return (
      <p class="verdict good">
        <Badge tone="good">ok</Badge> All projects {isComplete ? "" : "shown below "}are healthy.
      </p>
    );
  }
  return (
    <p class="verdict bad">
      <Badge tone="bad">degraded</Badge> {degraded.map(({ name }) => name).join(", ")}{" "}
      {degraded.length === 1 ? "needs" : "need"} attention.
    </p>
  );
}

type Project = InstanceHealth["projects"][number];

function isHealthy({ health }: Project): boolean {
  return health.status === "ok" && !healthChecks(health).some(({ isNotable }) => isNotable);
}

/** A project with nothing to report, folded so that the others are easy to find. */
function HealthyProject({ project: { name, health } }: { project: Project }) {
  return (
    <details class="card project-ok">
      <summary>
        <span class="with-badge">
          {name} <StatusBadge of={health.status} />
        </span>
      </summary>
      <Checks of={health} />
    </details>
  );
}

function ProjectHealth({ project }: { project: Project }) {
  const { name, health } = project;
  const failed = health.operations.failed + health.tasks.dead > 0;
  return (
    <Section
      title={
        <span class="with-badge">
          {name} <StatusBadge of={health.status} />
        </span>
      }
      actions={
        <>
          {failed && (
            <a class="button small" href={href(name, "/operations", { status: "dead" })}>
              Show failed operations
            </a>
          )}
          {health.unread_texts > 0 && (
            <a class="button small" href={href(name, "/inference")}>Show texts set aside</a>
          )}
        </>
      }
      card
    >
      <Checks of={health} />
    </Section>
  );
}

function Checks({ of }: { of: Project["health"] }) {
  return (
    <ul class="reasons">
      {healthChecks(of).map(({ name, summary, isProblem, isNotable }) => (
        <li key={name}>
          <span
            class={`reason-mark ${isProblem ? "bad" : isNotable ? "note" : ""}`}
            aria-hidden="true"
          />
          <span class="reason-name">{name}</span>
          <span class={isProblem ? "reason-words bad" : "reason-words"}>
            {isProblem && <span class="sr-only">Needs attention:</span>}
            {summary}
          </span>
        </li>
      ))}
    </ul>
  );
}
