import type { ComponentChildren } from 'preact';

interface DescriptionListProps {
  readonly items: readonly (readonly [name: string, value: ComponentChildren])[];
  /** `figures`: large numbers beside each other; `totals`: many of them. */
  readonly variant?: 'details' | 'figures' | 'totals';
}

/** Names and values that describe something. */
export function DescriptionList({ items, variant = 'details' }: DescriptionListProps) {
  return (
    <dl class={variant}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
