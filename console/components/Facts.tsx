import type { ComponentChildren } from 'preact';

interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
  /** `figures`: large numbers beside each other; `totals`: many of them. */
  readonly look?: 'facts' | 'figures' | 'totals';
}

/** A list of what something is. */
export function Facts({ facts, look = 'facts' }: FactsProps) {
  return (
    <dl class={look}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
