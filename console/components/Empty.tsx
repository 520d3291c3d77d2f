import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';
import type { IconName } from './Icon';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** What there is to do about it. */
  readonly children?: ComponentChildren;
}

/** Stands where something would be. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
