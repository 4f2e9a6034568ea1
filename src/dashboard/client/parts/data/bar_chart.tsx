/** A stacked bar chart over time, drawn as SVG. Hovering over a bar shows its numbers. */

import { useRef, useState } from "preact/hooks";
import { formatCount } from "./number_format.ts";
import { useElementWidth } from "../layout/use_element_width.ts";

/** A series of counts. */
export interface Series {
  readonly name: string;
  /** Chart colour, from 1 to 4. */
  readonly colour: number;
  /** One value per bar. */
  readonly values: readonly number[];
}

interface BarChartProps {
  readonly label: string;
  /** Full title of each bar, e.g. "14:00 to 15:00". */
  readonly titles: readonly string[];
  /** Label below each bar, or an empty string for none. */
  readonly ticks: readonly string[];
  readonly series: readonly Series[];
}

/** Height and baseline in screen pixels, so that the text keeps its size. */
const [HEIGHT, BASELINE] = [176, 150];

/** Height of the highest bar. */
const MAX_BAR_HEIGHT = BASELINE - 14;

/** Minimum width of a label below a bar, in pixels. */
const MIN_TICK_WIDTH = 68;

export function BarChart({ label, titles, ticks, series }: BarChartProps) {
  const box = useRef<HTMLElement>(null);
  const width = useElementWidth(box, 640);
  const [shown, setShown] = useState<number | null>(null);
  const sums = titles.map((_, bar) => series.reduce((sum, { values }) => sum + values[bar]!, 0));
  const top = roundUpToEven(Math.max(...sums, 1));
  const step = width / titles.length;
  // Show only every nth tick so that labels don't overlap.
  const labelled = ticks.flatMap((tick, bar) => tick === "" ? [] : [bar]);
  const every = Math.ceil(MIN_TICK_WIDTH / ((labelled[1]! - labelled[0]!) * step));
  const gap = Math.min(6, step * 0.22);
  return (
    <figure class="chart" ref={box}>
      <figcaption class="chart-legend">
        {series.map(({ name, colour, values }) => (
          <span key={name} class="chart-key">
            <span class={`chart-swatch colour-${colour}`} aria-hidden="true" />
            {name}
            <b class="figure">
              {formatCount(shown === null ? values.reduce((a, b) => a + b, 0) : values[shown]!)}
            </b>
          </span>
        ))}
        <span class="chart-shown">{shown === null ? "total" : titles[shown]}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-label={`${label}. ${describeSeries(series)}`}
        onMouseLeave={() => setShown(null)}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line
              class="chart-line"
              x1="0"
              x2={width}
              y1={BASELINE - part * MAX_BAR_HEIGHT}
              y2={BASELINE - part * MAX_BAR_HEIGHT}
            />
            {part > 0 && (
              <text class="chart-text" x="0" y={BASELINE - part * MAX_BAR_HEIGHT - 4}>
                {formatCount(top * part)}
              </text>
            )}
          </g>
        ))}
        {titles.map((title, bar) => (
          <g key={title} class={shown === bar ? "chart-bar shown" : "chart-bar"}>
            <rect
              class="chart-target"
              x={bar * step}
              y="0"
              width={step}
              height={BASELINE}
              onMouseEnter={() =>
                setShown(bar)}
            />
            {stackSegments(series, bar, top).map(({ colour, y, height }) => (
              <rect
                key={colour}
                class={`colour-${colour}`}
                x={bar * step + gap / 2}
                y={y}
                width={step - gap}
                height={height}
                rx={Math.min(2, height / 2)}
              />
            ))}
          </g>
        ))}
        {labelled.filter((_, index) => index % every === 0).map((bar) => (
          <text
            key={titles[bar]}
            class="chart-text"
            x={bar === 0 ? 0 : (bar + 0.5) * step}
            y={HEIGHT - 6}
            text-anchor={bar === 0 ? "start" : "middle"}
          >
            {ticks[bar]}
          </text>
        ))}
      </svg>
    </figure>
  );
}

function describeSeries(series: readonly Series[]): string {
  return series
    .map(({ name, values }) => `${name}: ${formatCount(values.reduce((a, b) => a + b, 0))} total`)
    .join(", ");
}

function stackSegments(series: readonly Series[], bar: number, top: number) {
  let y = BASELINE;
  return series.flatMap(({ colour, values }) => {
    const value = values[bar]!;
    if (value === 0) return [];
    const height = Math.max(1.5, value / top * MAX_BAR_HEIGHT);
    y -= height;
    return [{ colour, y, height }];
  });
}

/**
 * Rounds up to an even number of one or two digits followed by zeros. Even, so that half of it is a
 * whole number too.
 */
function roundUpToEven(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  const top = Math.ceil(value / unit / 2) * 2 * unit;
  return Math.max(2, top);
}
