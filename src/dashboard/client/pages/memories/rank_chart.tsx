/**
 * The trace, drawn: one line for each result, through the rankings that the search went through.
 * Where a line climbs, that step spoke for the memory.
 */

import { useRef } from "preact/hooks";
import { useWidth } from "../../parts/width.ts";
import { ordinal, type Trace } from "./explain.ts";
import { type Column, columnsOf } from "./ranks.ts";

/** Ranks that have a row of their own; what stands further down shares the last one. */
const ROWS = 10;
const ROW = 30;
const HEAD = 34;
const RADIUS = 11;
/** From this width on, the texts of the results stand beside their lines. */
const WITH_TEXTS = 560;

export interface RankChartProps {
  readonly trace: Trace;
  /** Texts of the results by their ids, in the order shown. */
  readonly texts: ReadonlyMap<string, string>;
  /** The result that is pointed at. */
  readonly active: string | null;
  readonly onActive: (id: string | null) => void;
}

/** Draws the rankings; the same is told by `RankTable`, for whoever doesn't see it. */
export function RankChart({ trace, texts, active, onActive }: RankChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 640);
  const columns = columnsOf(trace);
  const ids = [...texts.keys()].slice(0, ROWS);
  const hasFurther = ids.some((id) => columns.some(({ ranks }) => (ranks.get(id) ?? 0) > ROWS));
  const rows = Math.min(ROWS, Math.max(...columns.map(({ total }) => total))) +
    (hasFurther ? 1 : 0);
  const withTexts = width >= WITH_TEXTS;
  const right = withTexts ? Math.max(220, width * 0.36) : RADIUS + 6;
  const step = (width - right - 30 - RADIUS) / Math.max(1, columns.length - 1);
  const x = (index: number) => 30 + RADIUS + index * step;
  const y = (rank: number) => HEAD + (Math.min(rank, ROWS + 1) - 0.5) * ROW;
  // Without texts beside it, the last ranking has no room to the right of its name.
  const atEdge = (index: number) => !withTexts && index === columns.length - 1;
  const height = HEAD + rows * ROW + 4;
  return (
    <div ref={box} class="rank-chart" onMouseLeave={() => onActive(null)}>
      <svg width={width} height={height} role="img" aria-label={summaryOf(columns, ids)}>
        {columns.map((column, index) => (
          <text
            key={column.name}
            x={atEdge(index) ? width - 2 : x(index)}
            y={14}
            class="rank-head"
            text-anchor={atEdge(index) ? "end" : "middle"}
          >
            {column.name}
            <title>{column.note}</title>
          </text>
        ))}
        {Array.from(
          { length: rows },
          (_, row) => (
            <text key={row} x={2} y={y(row + 1) + 4} class="rank-number">
              {row < ROWS ? row + 1 : "…"}
            </text>
          ),
        )}
        {ids.map((id, index) => (
          <RankLine
            key={id}
            places={placesOf(columns, ids, id, x, y)}
            label={withTexts ? clipped(texts.get(id) ?? "", right) : ""}
            tone={index}
            state={active === null ? "" : active === id ? "active" : "faded"}
            onEnter={() => onActive(id)}
          />
        ))}
      </svg>
    </div>
  );
}

/** Where a line passes a ranking. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly rank: number;
  /** Whether rankings between this place and the one before didn't know the memory. */
  readonly leap: boolean;
}

interface RankLineProps {
  readonly places: readonly Place[];
  readonly label: string;
  readonly tone: number;
  readonly state: string;
  readonly onEnter: () => void;
}

function RankLine({ places, label, tone, state, onEnter }: RankLineProps) {
  const last = places.at(-1);
  if (last === undefined) return null;
  return (
    <g class={`rank-line tone-${tone % 10} ${state}`} onMouseEnter={onEnter}>
      {places.slice(1).map((place, index) => (
        <path
          key={index}
          d={curve(places[index]!, place)}
          class={place.leap ? "leap" : ""}
        />
      ))}
      {places.map((place) => (
        <g key={place.x}>
          <circle cx={place.x} cy={place.y} r={RADIUS} />
          <text x={place.x} y={place.y + 4} text-anchor="middle">{place.rank}</text>
        </g>
      ))}
      {label !== "" && <text class="rank-text" x={last.x + RADIUS + 8} y={last.y + 4}>{label}
      </text>}
    </g>
  );
}

function placesOf(
  columns: readonly Column[],
  ids: readonly string[],
  id: string,
  x: (index: number) => number,
  y: (rank: number) => number,
): Place[] {
  let missed = false;
  return columns.flatMap(({ ranks }, index): Place[] => {
    const rank = ranks.get(id);
    const leap = missed;
    missed = rank === undefined;
    if (rank === undefined) return [];
    // Those that share the last row stand side by side.
    const sharing = rank <= ROWS ? [] : ids.filter((each) => (ranks.get(each) ?? 0) > ROWS);
    const shift = rank <= ROWS ? 0 : sharing.indexOf(id) - (sharing.length - 1) / 2;
    return [{ x: x(index) + shift * (2 * RADIUS + 2), y: y(rank), rank, leap }];
  });
}

function curve(from: Place, to: Place): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x},${from.y} C${middle},${from.y} ${middle},${to.y} ${to.x},${to.y}`;
}

/** As much of a text as has room; about 6.6 pixels a character. */
function clipped(text: string, width: number): string {
  const most = Math.max(8, Math.floor((width - 30) / 6.6));
  const line = text.replaceAll(/\s+/g, " ").slice(0, most + 1);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

function summaryOf(columns: readonly Column[], ids: readonly string[]): string {
  const names = columns.map(({ name, total }) => `${name} (${total})`).join(", ");
  return `Ranks of ${ids.length} results in each step: ${names}. The table below has the numbers`;
}

/** The same as a table. */
export function RankTable({ trace, texts }: Pick<RankChartProps, "trace" | "texts">) {
  const columns = columnsOf(trace);
  return (
    <table class="rank-table">
      <caption class="sr-only">Rank of each result in each step of the search</caption>
      <thead>
        <tr>
          <th scope="col">Memory</th>
          {columns.map(({ name, note }) => <th key={name} scope="col" title={note}>{name}</th>)}
        </tr>
      </thead>
      <tbody>
        {[...texts].map(([id, text]) => (
          <tr key={id}>
            <th scope="row">
              <span class="clip" dir="auto">{text}</span>
            </th>
            {columns.map(({ name, ranks }) => {
              const rank = ranks.get(id);
              return <td key={name}>{rank === undefined ? "not found" : ordinal(rank)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
