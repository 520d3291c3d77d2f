import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What can be done with the whole of it: beside the title. */
  readonly actions?: ComponentChildren;
}

/** A titled part of a page. */
export function Card({ title, children, actions }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
