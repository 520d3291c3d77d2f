interface ProgressProps {
  /** What screen readers call it. */
  readonly label: string;
  /** From 0 to 1; undefined while it is unknown. */
  readonly value: number | undefined;
  /** For something that fills up: marks it when it is almost full. */
  readonly fills?: boolean;
}

/** How far something has progressed, or how full it is. */
export function Progress({ label, value, fills = false }: ProgressProps) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, value) * 100);
  const state = fills && value !== undefined && value >= 0.9 ? 'nearly-full' : '';
  return (
    <div
      class={`progress ${state} ${percent === undefined ? 'unknown' : ''}`}
      role={fills ? 'meter' : 'progressbar'}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ width: `${percent ?? 30}%` }} />
    </div>
  );
}
