/** A score breakdown with a bar per step, from the first piece of evidence to the result. */

import { explainScore, type ScoreStep, type Trace } from "./explain.ts";

interface Bar extends ScoreStep {
  readonly from: number;
  readonly to: number;
}

/** Renders the score steps as a waterfall chart, with an explanation for each. */
export function ScoreSteps(
  { trace, item }: { readonly trace: Trace; readonly item: Trace["fused"][number] },
) {
  const bars = stepBars(explainScore(trace, item));
  const product = bars.at(-1)?.to ?? 0;
  const widest = Math.max(1.5, ...bars.map((bar) => Math.max(bar.from, bar.to)));
  const percent = (value: number) => `${(100 * value / widest).toFixed(2)}%`;
  return (
    <ol class="score-steps">
      {bars.map((bar) => (
        <li key={bar.name}>
          <span class="step-name">{bar.name}</span>
          <span class="step-track" aria-hidden="true">
            <span
              class={`step-bar ${bar.to >= bar.from ? "gain" : "loss"}`}
              style={{
                left: percent(Math.min(bar.from, bar.to)),
                width: `max(2px, ${percent(Math.abs(bar.to - bar.from))})`,
              }}
            />
          </span>
          <span class="step-number">{formatStep(bar)}</span>
          <span class="step-note">{bar.note}</span>
        </li>
      ))}
      <li class="step-total">
        <span class="step-name">Score</span>
        <span class="step-track" aria-hidden="true">
          <span class="step-bar total" style={{ left: "0", width: percent(item.score) }} />
        </span>
        <span class="step-number">{item.score.toFixed(3)}</span>
        <span class="step-note">
          {product.toFixed(2)} mapped to a range of 0 to 1; a full match is about 0.76
        </span>
      </li>
    </ol>
  );
}

function formatStep({ added, factor }: ScoreStep): string {
  if (factor !== undefined) return `× ${factor.toFixed(factor < 1.1 && factor > 0.9 ? 3 : 2)}`;
  const value = added ?? 0;
  return `${value < 0 ? "−" : "+"} ${Math.abs(value).toFixed(2)}`;
}

function stepBars(steps: readonly ScoreStep[]): Bar[] {
  let at = 0;
  return steps.map((step) => {
    const from = at;
    at = step.factor === undefined ? at + (step.added ?? 0) : at * step.factor;
    return { ...step, from, to: at };
  });
}
