/** A share, as a short bar: the same in every browser, and told to screen readers as a meter. */

interface MeterProps {
  /** From 0 to 1. */
  readonly value: number;
  /** What it measures. */
  readonly label: string;
}

export function Meter({ value, label }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <span
      class="meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span class="meter-fill" style={{ width: `${percent}%` }} />
    </span>
  );
}
