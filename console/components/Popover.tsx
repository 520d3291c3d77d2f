import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon';

interface Toggled {
  readonly newState: string;
}

/**
 * The state of a panel that its button opens, both with `id`. The browser places it beside the button,
 * closes it by Escape and by a press beside it; then the button has the focus again.
 * @param first the selector of what has the focus once it is open.
 */
export function usePanel(first: string) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const invoker = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = (): void => panel.current?.hidePopover();
  return {
    open,
    close,
    panel: {
      id,
      ref: panel,
      popover: 'auto',
      onBeforeToggle: ({ newState }: Toggled) => {
        // Before it is shown, so that it is never seen empty.
        if (newState === 'open') setOpen(true);
        // Browsers give the focus back from the outermost panel alone.
        else if (panel.current?.contains(document.activeElement)) invoker.current?.focus();
      },
      // What is not shown yet cannot have the focus; what has it must not go before it is given back.
      onToggle: ({ newState }: Toggled) => {
        if (newState === 'open') panel.current?.querySelector<HTMLElement>(first)?.focus();
        else setOpen(false);
      },
    },
    button: { ref: invoker, type: 'button', popovertarget: id, 'aria-expanded': open },
  } as const;
}

/** Escape closes only the panel, not what it is in. */
export const keepEscape = (event: KeyboardEvent): void => {
  if (event.key === 'Escape') event.stopPropagation();
};

interface PopoverProps {
  readonly label: string;
  /** Whether what it holds is in effect. */
  readonly active: boolean;
  readonly children: ComponentChildren;
}

/** A chip that opens a small panel below it, such as the fields of a filter. */
export function Popover({ label, active, children }: PopoverProps) {
  const { open, panel, button } = usePanel(':is(input, select, button)');
  return (
    <>
      <button {...button} class={active ? 'chip active' : 'chip'}>
        <span>{label}</span>
        <Icon name="down" />
      </button>
      <div
        {...panel}
        class="floating popover-panel"
        role="group"
        aria-label={label}
        onKeyDown={keepEscape}
      >
        {open && children}
      </div>
    </>
  );
}
