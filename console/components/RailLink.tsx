import type { ComponentChildren } from 'preact';
import { hrefOf } from '../core/router';
import { Icon } from './Icon';
import type { IconName } from './Icon';

interface RailLinkProps {
  /** The path and query in the console. */
  readonly to: string;
  readonly icon: IconName;
  /** Whether the reader is there. */
  readonly current: boolean;
  readonly children: ComponentChildren;
}

/** An entry of the rail. */
export function RailLink({ to, icon, current, children }: RailLinkProps) {
  return (
    <a class="rail-link" href={hrefOf(to)} aria-current={current ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{children}</span>
    </a>
  );
}
