import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';
import type { IconName } from './Icon';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly icon?: IconName;
  /** `primary`: the main action of a page; `quiet`: without a frame; `danger`: cannot be undone. */
  readonly variant?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  /** Whether its action is running: it cannot be pressed again meanwhile. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Shows only the icon; the text is its name for screen readers, and its tooltip. */
  readonly iconOnly?: boolean;
  /** Its tooltip; by default, that of an icon is its name. */
  readonly title?: string;
  /** For a toggle button: whether it is on. */
  readonly pressed?: boolean;
  /** For a button that shows something: whether that is shown. */
  readonly expanded?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, variant = 'plain', type = 'button', busy = false, icon, iconOnly } = props;
  return (
    <button
      type={type}
      class={`button ${variant} ${iconOnly ? 'icon-only' : ''}`}
      disabled={props.disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      title={props.title ?? (icon && typeof children === 'string' ? children : undefined)}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else props.onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} />}
      <span class={iconOnly ? 'unseen' : undefined}>{children}</span>
    </button>
  );
}
