import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';
import type { IconName } from './Icon';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** What the reader can do about it. */
  readonly children?: ComponentChildren;
}

/** A placeholder for missing content. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
