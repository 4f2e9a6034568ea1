/**
 * A short bar for a fraction. Looks the same in every browser, and screen readers announce it as a
 * meter.
 */

interface MeterProps {
  /** Fraction, from 0 to 1. */
  readonly value: number;
  /** What's being measured. */
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
