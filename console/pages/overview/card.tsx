import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { components } from '../../core/api';

export type Status = components['schemas']['Status'];

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Whether it takes the width of the page. */
  readonly wide?: boolean;
}

export function Card({ title, children, wide = false }: CardProps) {
  const id = useId();
  return (
    <section class={wide ? 'card wide' : 'card'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
