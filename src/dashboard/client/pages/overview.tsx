/** The first page of a project: what it holds, what went on in it, how it is doing, what to do. */

import { useMemo, useState } from "preact/hooks";
import type { ActivityHour, ActivityKind } from "../../../activity/schema.ts";
import type { Health, Overview as Figures } from "../../schema.ts";
import type { Operation } from "../../../operations/schema.ts";
import type { Page } from "../api.ts";
import { useLoaded } from "../live.ts";
import { Status } from "../parts/badge.tsx";
import { Bars } from "../parts/chart.tsx";
import { Choice } from "../parts/fields.tsx";
import { plural, shortCount } from "../parts/figures.ts";
import { Icon, type IconName } from "../parts/icon.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Section } from "../parts/section.tsx";
import { Waiting } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { type Place, useProject } from "../project.ts";
import { reasonsOf } from "./health_reasons.ts";
import { OPERATION_NAMES } from "./operation_names.ts";

const HOUR_MS = 3_600_000;

/** How far back, with the hours that one bar stands for. */
const SPANS = { "1": 1, "7": 6, "30": 24 } as const;
type Span = keyof typeof SPANS;

const SERIES: readonly (readonly [kind: ActivityKind, name: string])[] = [
  ["memories_added", "Memories added"],
  ["memories_changed", "Memories changed"],
  ["documents", "Documents"],
  ["searches", "Searches"],
];

export function Overview() {
  const place = useProject();
  const [span, setSpan] = useState<Span>("1");
  const figures = useLoaded(
    (signal) => place.api.get<Figures>("/overview", { days: span }, signal),
    [place.id, span],
    5_000,
  );
  const health = useLoaded(
    (signal) => place.api.get<Health>("/health", {}, signal),
    [place.id],
    5_000,
  );
  const recent = useLoaded(
    (signal) => place.api.get<Page<Operation>>("/operations", { limit: 6 }, signal),
    [place.id],
    5_000,
  );
  const counts = figures.value?.counts;
  const isNew = counts !== undefined && counts.memories + counts.documents === 0;
  return (
    <>
      <PageHead
        title="Overview"
        lead={`What the project ${place.name} holds, and how it is doing.`}
      />
      <Problem failure={figures.failure ?? health.failure} retry={figures.reload} />
      {isNew && <FirstSteps place={place} />}
      <ul class="tiles">
        <Tile
          icon="memory"
          name="Memories"
          value={counts?.memories}
          href={place.link("/memories")}
        />
        <Tile
          icon="document"
          name="Documents"
          value={counts?.documents}
          note={counts && counts.chunks > 0 ? plural(counts.chunks, "passage") : ""}
          href={place.link("/documents")}
        />
        <Tile
          icon="entity"
          name="Entities"
          value={counts?.entities}
          href={place.link("/entities")}
        />
        <HealthTile health={health.value} />
      </ul>
      <Section
        title="Activity"
        card
        actions={
          <Choice
            label="How far back"
            value={span}
            change={(value) => setSpan(value as Span)}
            options={[["1", "24 hours"], ["7", "7 days"], ["30", "30 days"]]}
          />
        }
      >
        {figures.value === undefined
          ? <Waiting lines={3} />
          : <Activity figures={figures.value} span={span} />}
      </Section>
      <Section
        title="Last operations"
        actions={<a class="button small" href={place.link("/operations")}>All operations</a>}
        card
      >
        <Recent place={place} operations={recent.value?.results} />
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
        <span class="tile-value figure">{value === undefined ? "–" : shortCount(value)}</span>
        <span class="tile-note">{note}</span>
      </a>
    </li>
  );
}

function HealthTile({ health }: { health: Health | undefined }) {
  const reasons = health === undefined ? [] : reasonsOf(health).filter(({ bad }) => bad);
  return (
    <li>
      <a class="tile" href="#/-/health">
        <span class="tile-name">
          <Icon name="health" />
          Health
        </span>
        <span class="tile-value">
          {health === undefined ? "–" : <Status of={health.status} />}
        </span>
        <span class="tile-note">
          {reasons[0] === undefined
            ? health && "Nothing needs attention"
            : `${reasons[0].name}: ${reasons[0].words}`}
        </span>
      </a>
    </li>
  );
}

function FirstSteps({ place }: { place: Place }) {
  return (
    <div class="card steps">
      <h2>This project is empty. Three ways to begin:</h2>
      <ol>
        <li>
          <a href={place.link("/memories")}>Add a memory</a>, then search for it.
        </li>
        <li>
          <a href={place.link("/documents")}>Upload a document</a>{" "}
          and watch it become text that can be cited.
        </li>
        <li>
          <a href={place.link("/settings")}>Make a key</a> for an application, and let it write.
        </li>
      </ol>
    </div>
  );
}

function Activity({ figures, span }: { figures: Figures; span: Span }) {
  const { titles, ticks, series } = useMemo(() => barsOf(figures, span), [figures, span]);
  return <Bars label="Activity" titles={titles} ticks={ticks} series={series} />;
}

const hour = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** Hours gathered into bars whose bounds are those of local time. */
function barsOf({ until, activity }: Figures, span: Span) {
  const width = SPANS[span];
  const count = Number(span) * 24 / width;
  const end = new Date(until);
  if (width === 24) end.setHours(24, 0, 0, 0);
  else end.setHours(Math.ceil((end.getHours() + 1) / width) * width, 0, 0, 0);
  const starts = Array.from({ length: count }, (_, index) => {
    const start = new Date(end);
    // By the calendar and not by milliseconds: a day may have 23 hours.
    start.setHours(start.getHours() - (count - index) * width);
    return start;
  });
  const barOf = ({ hour: at }: ActivityHour) =>
    starts.findLastIndex((start) => start.getTime() <= Date.parse(at));
  const series = SERIES.map(([kind, name], index) => {
    const values = new Array<number>(count).fill(0);
    for (const each of activity) {
      const bar = each.kind === kind ? barOf(each) : -1;
      if (bar >= 0) values[bar]! += each.count;
    }
    return { name, colour: index + 1, values };
  });
  const every = { "1": 4, "7": 4, "30": 5 }[span];
  return {
    titles: starts.map((start) => titleOf(start, width)),
    ticks: starts.map((start, index) =>
      index % every !== 0
        ? ""
        : span === "1"
        ? hour.format(start)
        : span === "7"
        ? weekday.format(start)
        : day.format(start)
    ),
    series,
  };
}

function titleOf(start: Date, width: number): string {
  if (width === 24) return day.format(start);
  const end = new Date(start.getTime() + width * HOUR_MS);
  return `${day.format(start)}, ${hour.format(start)} to ${hour.format(end)}`;
}

interface RecentProps {
  readonly place: Place;
  readonly operations: readonly Operation[] | undefined;
}

function Recent({ place, operations }: RecentProps) {
  if (operations === undefined) return <Waiting lines={3} />;
  if (operations.length === 0) {
    return (
      <p class="muted">Nothing has run yet. Uploads, exports and inferred adds show up here.</p>
    );
  }
  return (
    <ul class="recent">
      {operations.map(({ id, kind, status, created_at }) => (
        <li key={id}>
          <a href={place.link(`/operations/${id}`)}>{OPERATION_NAMES[kind]}</a>
          <Status of={status} />
          <span class="muted">
            <When at={created_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
