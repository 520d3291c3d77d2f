import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon';

interface PopoverProps {
  readonly label: string;
  /** Whether what it holds is in effect. */
  readonly active: boolean;
  readonly children: ComponentChildren;
}

/** A chip that opens a small panel below it, such as the fields of a filter. */
export function Popover({ label, active, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return undefined;
    box.current?.querySelector<HTMLElement>('.popover-panel :is(input, select, button)')?.focus();
    const beside = ({ target }: Event): void => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    addEventListener('pointerdown', beside);
    addEventListener('focusin', beside);
    return () => {
      removeEventListener('pointerdown', beside);
      removeEventListener('focusin', beside);
    };
  }, [open]);
  return (
    <div
      ref={box}
      class="popover"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        setOpen(false);
        box.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class={active ? 'chip active' : 'chip'}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <span>{label}</span>
        <Icon name="down" />
      </button>
      {open && (
        <div id={id} class="popover-panel" role="group" aria-label={label}>
          {children}
        </div>
      )}
    </div>
  );
}
