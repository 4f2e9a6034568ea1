/**
 * Charts a search trace. Each result is a line through every ranking of the search, rising wherever
 * a step favoured that memory.
 */

import { useRef } from "preact/hooks";
import { useElementWidth } from "../../parts/layout/use_element_width.ts";
import { ordinal, type Trace } from "./explain.ts";
import { type RankColumn, rankColumns } from "./ranks.ts";

/** Number of ranks with a row of their own. All lower ranks share one extra row. */
const MAX_RANK_ROWS = 10;
const ROW_HEIGHT = 30;
const HEADER_HEIGHT = 34;
const RADIUS = 11;
/** Maximum distance of the first ranking from the left edge, in pixels. */
const MAX_LEFT = 90;
/** Minimum width, in pixels, for showing result texts next to their lines. */
const MIN_WIDTH_WITH_TEXTS = 560;

export interface RankChartProps {
  readonly trace: Trace;
  /** Result texts by id, in display order. */
  readonly texts: ReadonlyMap<string, string>;
  /** Id of the highlighted result. */
  readonly active: string | null;
  readonly onActive: (id: string | null) => void;
}

/** Renders the rankings as a chart. See `RankTable` for the same data in accessible form. */
export function RankChart({ trace, texts, active, onActive }: RankChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useElementWidth(box, 640);
  const columns = rankColumns(trace);
  const ids = [...texts.keys()].slice(0, MAX_RANK_ROWS);
  const hasLowerRanks = ids.some((id) =>
    columns.some(({ ranks }) => (ranks.get(id) ?? 0) > MAX_RANK_ROWS)
  );
  const rows = Math.min(MAX_RANK_ROWS, Math.max(...columns.map(({ total }) => total))) +
    (hasLowerRanks ? 1 : 0);
  const withTexts = width >= MIN_WIDTH_WITH_TEXTS;
  const right = withTexts ? Math.max(220, width * 0.36) : RADIUS + 6;
  const left = Math.min(MAX_LEFT, width * 0.15);
  const step = (width - right - left) / Math.max(1, columns.length - 1);
  const x = (index: number) => left + index * step;
  const y = (rank: number) =>
    HEADER_HEIGHT + (Math.min(rank, MAX_RANK_ROWS + 1) - 0.5) * ROW_HEIGHT;
  // With no texts next to the lines, the last ranking's name has to end at the edge.
  const atEdge = (index: number) => !withTexts && index === columns.length - 1;
  const height = HEADER_HEIGHT + rows * ROW_HEIGHT + 4;
  return (
    <div ref={box} class="rank-chart" onMouseLeave={() => onActive(null)}>
      <svg width={width} height={height} role="img" aria-label={describeChart(columns, ids)}>
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
              {row < MAX_RANK_ROWS ? row + 1 : "…"}
            </text>
          ),
        )}
        {ids.map((id, index) => (
          <RankLine
            key={id}
            points={rankPoints(columns, ids, id, x, y, 2 * Math.min(left - 24, step * 0.4))}
            label={withTexts ? truncate(texts.get(id) ?? "", right) : ""}
            tone={index}
            state={active === null ? "" : active === id ? "active" : "faded"}
            onEnter={() => onActive(id)}
          />
        ))}
      </svg>
    </div>
  );
}

/** Where a line crosses one ranking. */
interface RankPoint {
  readonly x: number;
  readonly y: number;
  readonly rank: number;
  /** Radius of its circle, which contains the rank if there's room for it. */
  readonly radius: number;
  /** Whether the memory is missing from the previous ranking. */
  readonly afterGap: boolean;
}

interface RankLineProps {
  readonly points: readonly RankPoint[];
  readonly label: string;
  readonly tone: number;
  readonly state: string;
  readonly onEnter: () => void;
}

function RankLine({ points, label, tone, state, onEnter }: RankLineProps) {
  const last = points.at(-1);
  if (last === undefined) return null;
  return (
    <g class={`rank-line tone-${tone % 10} ${state}`} onMouseEnter={onEnter}>
      {points.slice(1).map((point, index) => (
        <path
          key={index}
          d={curvePath(points[index]!, point)}
          class={point.afterGap ? "leap" : ""}
        />
      ))}
      {points.map((point) => (
        <g key={point.x}>
          <circle cx={point.x} cy={point.y} r={point.radius}>
            <title>{ordinal(point.rank)}</title>
          </circle>
          {point.radius === RADIUS && (
            <text x={point.x} y={point.y + 4} text-anchor="middle">{point.rank}</text>
          )}
        </g>
      ))}
      {label !== "" && <text class="rank-text" x={last.x + RADIUS + 8} y={last.y + 4}>{label}
      </text>}
    </g>
  );
}

function rankPoints(
  columns: readonly RankColumn[],
  ids: readonly string[],
  id: string,
  x: (index: number) => number,
  y: (rank: number) => number,
  maxSpread: number,
): RankPoint[] {
  let isMissing = false;
  return columns.flatMap(({ ranks }, index): RankPoint[] => {
    const rank = ranks.get(id);
    const afterGap = isMissing;
    isMissing = rank === undefined;
    if (rank === undefined) return [];
    // Results sharing the last row are placed side by side, and drawn as dots if they're many.
    const sharing = rank <= MAX_RANK_ROWS
      ? []
      : ids.filter((other) => (ranks.get(other) ?? 0) > MAX_RANK_ROWS);
    const shift = rank <= MAX_RANK_ROWS ? 0 : sharing.indexOf(id) - (sharing.length - 1) / 2;
    const pitch = Math.min(2 * RADIUS + 2, maxSpread / sharing.length);
    const radius = sharing.length === 0 ? RADIUS : Math.max(2, pitch / 2 - 1);
    return [{ x: x(index) + shift * pitch, y: y(rank), rank, radius, afterGap }];
  });
}

function curvePath(from: RankPoint, to: RankPoint): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x},${from.y} C${middle},${from.y} ${middle},${to.y} ${to.x},${to.y}`;
}

/** Truncates a text to fit a width, assuming about 6.6 pixels per character. */
function truncate(text: string, width: number): string {
  const maxCharacters = Math.max(8, Math.floor((width - 30) / 6.6));
  const line = text.replaceAll(/\s+/g, " ").slice(0, maxCharacters + 1);
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}

function describeChart(columns: readonly RankColumn[], ids: readonly string[]): string {
  const names = columns.map(({ name, total }) => `${name} (${total})`).join(", ");
  return `Ranks of ${ids.length} results in each step: ${names}. The table below shows the numbers`;
}

/** Renders the same rankings as a table. */
export function RankTable({ trace, texts }: Pick<RankChartProps, "trace" | "texts">) {
  const columns = rankColumns(trace);
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
