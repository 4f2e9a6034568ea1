/** Charts an attribute's values over time. */

import { useRef } from "preact/hooks";
import type { stateRecord } from "../../../../derived/schema.ts";
import type { z } from "zod";
import { axisTicks, timeScale } from "../../parts/data/time_scale.ts";
import { useElementWidth } from "../../parts/layout/use_element_width.ts";

export type StateRecord = z.output<typeof stateRecord>;

const LANE_HEIGHT = 38;
const BAR_HEIGHT = 24;
const TOP_MARGIN = 10;
const AXIS_HEIGHT = 26;
const SIDE_MARGIN = 12;
const CHARACTER_WIDTH = 7;

export interface ValueChartProps {
  readonly records: readonly StateRecord[];
  /** The chosen instant, in milliseconds. */
  readonly at: number;
  readonly now: number;
  /** Called with the instant clicked. */
  readonly onSelect: (instant: number) => void;
}

/**
 * Renders one lane per value, with the first value on top. Bars without a start begin at the left
 * edge; bars without an end run to the right edge. The table below has the same data.
 */
export function ValueChart({ records, at, now, onSelect }: ValueChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useElementWidth(box, 640);
  const instants = records.flatMap((
    { valid_from, valid_to },
  ) => [millis(valid_from), millis(valid_to)])
    .filter((instant) => instant !== null);
  const first = Math.min(...instants, now);
  const last = Math.max(...instants, now);
  const margin = (last - first) * 0.04;
  const scale = timeScale(first - margin, last + margin, SIDE_MARGIN, width - SIDE_MARGIN);
  const lanes = [...new Set(records.map(({ value }) => value))];
  const height = TOP_MARGIN + lanes.length * LANE_HEIGHT + AXIS_HEIGHT;
  const bottom = height - AXIS_HEIGHT;
  const ticks = axisTicks(scale, Math.max(2, Math.floor(width / 110)));
  return (
    <div ref={box} class="value-chart">
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={describeChart(records)}
        onClick={(event) => onSelect(scale.toInstant(event.offsetX))}
      >
        {ticks.map(({ at, label }) => (
          <g key={at} class="tick">
            <line x1={scale.toPixel(at)} x2={scale.toPixel(at)} y1={0} y2={bottom} />
            <text x={scale.toPixel(at)} y={height - 8} text-anchor="middle">{label}</text>
          </g>
        ))}
        {records.map((record) => {
          const lane = lanes.indexOf(record.value);
          const from = record.valid_from === null
            ? -LANE_HEIGHT
            : scale.toPixel(millis(record.valid_from)!);
          const to = record.valid_to === null
            ? width + LANE_HEIGHT
            : scale.toPixel(millis(record.valid_to)!);
          const y = TOP_MARGIN + lane * LANE_HEIGHT + (LANE_HEIGHT - BAR_HEIGHT) / 2;
          const isValid = (record.valid_from === null || millis(record.valid_from)! <= at) &&
            (record.valid_to === null || millis(record.valid_to)! > at);
          return (
            <ValueBar
              key={record.id}
              x={from}
              y={y}
              width={Math.max(4, to - from)}
              chart={width}
              label={record.value}
              tone={lane}
              isValid={isValid}
            />
          );
        })}
        <line class="now" x1={scale.toPixel(at)} x2={scale.toPixel(at)} y1={0} y2={bottom} />
        <circle class="now" cx={scale.toPixel(at)} cy={bottom} r={4} />
      </svg>
    </div>
  );
}

interface ValueBarProps {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly chart: number;
  readonly label: string;
  readonly tone: number;
  readonly isValid: boolean;
}

/** Renders a bar. The label goes inside if it fits, otherwise on the side with more room. */
function ValueBar({ x, y, width, chart, label, tone, isValid }: ValueBarProps) {
  const needed = Math.min(label.length, 40) * CHARACTER_WIDTH + 16;
  const isInside = width >= needed;
  const isRight = chart - (x + width) >= needed || chart - (x + width) > x;
  const maxCharacters = Math.floor(
    (isInside ? width : isRight ? chart - x - width : x) / CHARACTER_WIDTH - 2,
  );
  const text = label.length > maxCharacters
    ? `${label.slice(0, Math.max(1, maxCharacters - 1))}…`
    : label;
  return (
    <g class={`value-bar tone-${tone % 10} ${isValid ? "holds" : ""}`}>
      <title>{label}</title>
      <rect x={x} y={y} width={width} height={BAR_HEIGHT} rx={5} />
      {isInside
        ? <text class="inside" x={Math.max(x, 0) + 9} y={y + BAR_HEIGHT / 2 + 4}>{text}</text>
        : isRight
        ? <text x={x + width + 7} y={y + BAR_HEIGHT / 2 + 4}>{text}</text>
        : <text x={x - 7} y={y + BAR_HEIGHT / 2 + 4} text-anchor="end">{text}</text>}
    </g>
  );
}

function millis(timestamp: string): number;
function millis(timestamp: string | null): number | null;
function millis(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}

function describeChart(records: readonly StateRecord[]): string {
  const values = records.slice(0, 5).map(({ value }) => value).join(", then ");
  return `${records.length} ${records.length === 1 ? "value" : "values"} over time: ${values}. ` +
    "The table below shows the dates";
}
