/**
 * A project's start page: what it contains, how active and healthy it is, its latest operations,
 * and first steps.
 */

import { useMemo, useState } from "preact/hooks";
import type { ActivityHour, ActivityKind } from "../../../activity/schema.ts";
import type { Health, Overview as OverviewData } from "../../schema.ts";
import { HOUR_MS } from "../../../kernel/clock.ts";
import type { BrowsedOperation } from "../../browse/schema.ts";
import type { Page } from "../api.ts";
import { useResource } from "../hooks.ts";
import { StatusBadge } from "../parts/data/badge.tsx";
import { BarChart } from "../parts/data/bar_chart.tsx";
import { RadioGroup } from "../parts/forms/fields.tsx";
import { formatCompactCount, formatPlural } from "../parts/data/number_format.ts";
import { Icon, type IconName } from "../parts/layout/icon.tsx";
import { PageHeader } from "../parts/layout/page_header.tsx";
import { ErrorMessage } from "../parts/feedback/error_message.tsx";
import { Section } from "../parts/layout/section.tsx";
import { LoadingRows } from "../parts/data/table.tsx";
import { Timestamp } from "../parts/data/timestamp.tsx";
import { type CurrentProject, useProject } from "../project.ts";
import { healthChecks } from "./health_checks.ts";
import { OPERATION_NAMES } from "./operation_names.ts";

/** Hours per bar, keyed by the number of days shown. */
const BAR_HOURS_BY_DAYS = { "1": 1, "7": 6, "30": 24 } as const;
type Span = keyof typeof BAR_HOURS_BY_DAYS;

const SERIES: readonly (readonly [kind: ActivityKind, name: string])[] = [
  ["memories_added", "Memories added"],
  ["memories_changed", "Memories changed"],
  ["documents", "Documents"],
  ["searches", "Searches"],
];

export function Overview() {
  const project = useProject();
  const [span, setSpan] = useState<Span>("1");
  const overview = useResource(
    (signal) => project.api.get<OverviewData>("/overview", { days: span }, signal),
    [project.id, span],
    5_000,
  );
  const health = useResource(
    (signal) => project.api.get<Health>("/health", {}, signal),
    [project.id],
    5_000,
  );
  const recent = useResource(
    (signal) => project.api.get<Page<BrowsedOperation>>("/browse/operations", { limit: 6 }, signal),
    [project.id],
    5_000,
  );
  const counts = overview.value?.counts;
  const isNew = counts !== undefined && counts.memories + counts.documents === 0;
  return (
    <>
      <PageHeader
        title="Overview"
        lead={`Contents, activity and health of the project ${project.name}.`}
      />
      <ErrorMessage failure={overview.failure ?? health.failure} onRetry={overview.reload} />
      {isNew && <FirstSteps project={project} />}
      <ul class="tiles">
        <Tile
          icon="memory"
          name="Memories"
          value={counts?.memories}
          href={project.link("/memories")}
        />
        <Tile
          icon="document"
          name="Documents"
          value={counts?.documents}
          note={counts && counts.chunks > 0 ? formatPlural(counts.chunks, "passage") : ""}
          href={project.link("/documents")}
        />
        <Tile
          icon="entity"
          name="Entities"
          value={counts?.entities}
          href={project.link("/entities")}
        />
        <HealthTile health={health.value} />
      </ul>
      <Section
        title="Activity"
        card
        actions={
          <RadioGroup
            label="Time range"
            value={span}
            onChange={(value) => setSpan(value as Span)}
            options={[["1", "24 hours"], ["7", "7 days"], ["30", "30 days"]]}
          />
        }
      >
        {overview.value === undefined
          ? <LoadingRows lines={3} />
          : <Activity overview={overview.value} span={span} />}
      </Section>
      <Section
        title="Recent operations"
        actions={<a class="button small" href={project.link("/operations")}>All operations</a>}
        card
      >
        <Recent project={project} operations={recent.value?.results} />
      </Section>
    </>
  );
}

interface TileProps {
  readonly icon: IconName;
  readonly name: string;
  readonly value: number | undefined;
  readonly note?: string;
  readonly href: string;
}

function Tile({ icon, name, value, note = "", href }: TileProps) {
  return (
    <li>
      <a class="tile" href={href}>
        <span class="tile-name">
          <Icon name={icon} />
          {name}
        </span>
        <span class="tile-value figure">
          {value === undefined ? "–" : formatCompactCount(value)}
        </span>
        <span class="tile-note">{note}</span>
      </a>
    </li>
  );
}

function HealthTile({ health }: { health: Health | undefined }) {
  const reasons = health === undefined
    ? []
    : healthChecks(health).filter(({ isProblem }) => isProblem);
  return (
    <li>
      <a class="tile" href="#/-/health">
        <span class="tile-name">
          <Icon name="health" />
          Health
        </span>
        <span class="tile-value">
          {health === undefined ? "–" : <StatusBadge of={health.status} />}
        </span>
        <span class="tile-note">
          {reasons[0] === undefined
            ? health && "Nothing needs attention"
            : `${reasons[0].name}: ${reasons[0].summary}`}
        </span>
      </a>
    </li>
  );
}

function FirstSteps({ project }: { project: CurrentProject }) {
  return (
    <div class="card steps">
      <h2>This project is empty. Ways to start:</h2>
      <ol>
        <li>
          <a href={project.link("/memories/new")}>Add a memory</a>, then search for it.
        </li>
        <li>
          <a href={project.link("/documents")}>Upload a document</a> and search its passages.
        </li>
        <li>
          <a href={project.link("/connect")}>Connect an assistant</a>{" "}
          such as Claude, Cursor or VS Code.
        </li>
        <li>
          <a href={project.link("/settings")}>Create a key</a>{" "}
          and add memories from your application.
        </li>
      </ol>
    </div>
  );
}

function Activity({ overview, span }: { overview: OverviewData; span: Span }) {
  const { titles, ticks, series } = useMemo(() => activityBars(overview, span), [overview, span]);
  return <BarChart label="Activity" titles={titles} ticks={ticks} series={series} />;
}

const hourFormat = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const weekdayFormat = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** Groups hours into bars that start on a full hour or day in local time. */
function activityBars({ until, activity }: OverviewData, span: Span) {
  const width = BAR_HOURS_BY_DAYS[span];
  const count = Number(span) * 24 / width;
  const end = new Date(until);
  if (width === 24) end.setHours(24, 0, 0, 0);
  else end.setHours(Math.ceil((end.getHours() + 1) / width) * width, 0, 0, 0);
  const starts = Array.from({ length: count }, (_, index) => {
    const start = new Date(end);
    // Use calendar arithmetic rather than adding milliseconds: a day can have 23 hours.
    start.setHours(start.getHours() - (count - index) * width);
    return start;
  });
  const barOf = ({ hour: at }: ActivityHour) =>
    starts.findLastIndex((start) => start.getTime() <= Date.parse(at));
  const series = SERIES.map(([kind, name], index) => {
    const values = new Array<number>(count).fill(0);
    for (const entry of activity) {
      const bar = entry.kind === kind ? barOf(entry) : -1;
      if (bar >= 0) values[bar]! += entry.count;
    }
    return { name, colour: index + 1, values };
  });
  const tickInterval = { "1": 4, "7": 4, "30": 5 }[span];
  return {
    titles: starts.map((start) => barTitle(start, width)),
    ticks: starts.map((start, index) =>
      index % tickInterval !== 0
        ? ""
        : span === "1"
        ? hourFormat.format(start)
        : span === "7"
        ? weekdayFormat.format(start)
        : dayFormat.format(start)
    ),
    series,
  };
}

function barTitle(start: Date, width: number): string {
  if (width === 24) return dayFormat.format(start);
  const end = new Date(start.getTime() + width * HOUR_MS);
  return `${dayFormat.format(start)}, ${hourFormat.format(start)} to ${hourFormat.format(end)}`;
}

interface RecentProps {
  readonly project: CurrentProject;
  readonly operations: readonly BrowsedOperation[] | undefined;
}

function Recent({ project, operations }: RecentProps) {
  if (operations === undefined) return <LoadingRows lines={3} />;
  if (operations.length === 0) {
    return <p class="muted">No operations yet. Uploads, exports and inferred adds appear here.</p>;
  }
  return (
    <ul class="recent">
      {operations.map(({ id, kind, upload, status, created_at }) => (
        <li key={id}>
          <span class="recent-name">
            <a href={project.link(`/operations/${id}`)}>{OPERATION_NAMES[kind]}</a>
            {upload && <bdi class="muted clip">{upload.filename}</bdi>}
          </span>
          <StatusBadge of={status} />
          <span class="muted">
            <Timestamp at={created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
