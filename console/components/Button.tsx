import type { ComponentChildren } from 'preact';
import { Icon } from './Icon';
import type { IconName } from './Icon';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: (event: MouseEvent) => void;
  readonly icon?: IconName;
  /** `primary`: what most readers of a page want; `quiet`: without a frame; `danger`: cannot be undone. */
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  /** Works on something: cannot be pressed again meanwhile. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** Shows the icon alone; the text is its name for screen readers, and what hovering shows. */
  readonly iconOnly?: boolean;
  /** Of a button that turns something on and off: whether it is on. */
  readonly pressed?: boolean;
}

export function Button(props: ButtonProps) {
  const { children, kind = 'plain', type = 'button', busy = false, icon, iconOnly } = props;
  return (
    <button
      type={type}
      class={`button ${kind} ${iconOnly ? 'icon-only' : ''}`}
      disabled={props.disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-pressed={props.pressed}
      title={iconOnly && typeof children === 'string' ? children : undefined}
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
