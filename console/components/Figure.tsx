import type { ComponentChildren } from 'preact';

interface FigureProps {
  /** What it counts. */
  readonly label: string;
  readonly value: string;
  /** A second number, or what the first one is measured against. */
  readonly children?: ComponentChildren;
}

interface FigureButtonProps extends FigureProps {
  /** Whether it is the one that is shown at length. */
  readonly pressed: boolean;
  readonly onClick: () => void;
}

/** One number on a card of its own. */
export function Figure({ label, value, children }: FigureProps) {
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>
        <span class="figure-value">{value}</span>
        {children}
      </dd>
    </div>
  );
}

/** The same as a button, for one of several that a page shows at length. */
export function FigureButton({ label, value, children, pressed, onClick }: FigureButtonProps) {
  return (
    <button type="button" class="figure" aria-pressed={pressed} onClick={onClick}>
      <span>{label}</span>
      <span>
        <span class="figure-value">{value}</span>
        {children}
      </span>
    </button>
  );
}
