import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon';
import type { IconName } from './Icon';

export interface MenuItem {
  readonly label: string;
  readonly act: () => void;
  readonly icon?: IconName;
  /** For one of several choices: whether it is the current one. */
  readonly chosen?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly icon: IconName;
  /** Shown on the button; part of its label. Without it, the button shows only the icon. */
  readonly text?: string;
  readonly variant?: 'primary' | 'quiet';
  /** Lists of items, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
}

/** A button that opens a list of actions (WAI-ARIA, menu button). */
export function Menu({ label, icon, text, variant = 'quiet', groups }: MenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // Before the next key is handled, which an effect after painting would lose.
  useLayoutEffect(() => {
    if (!open) return undefined;
    keepInWindow(list.current);
    itemsOf(box.current)[0]?.focus();
    const beside = (event: Event): void => {
      if (!(event.target instanceof Node && box.current?.contains(event.target))) setOpen(false);
    };
    addEventListener('pointerdown', beside);
    return () => removeEventListener('pointerdown', beside);
  }, [open]);
  const close = (): void => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  return (
    <div class="menu" ref={box}>
      <button
        type="button"
        class={`button ${variant} ${text === undefined ? 'icon-only' : ''}`}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name={icon} />
        {text !== undefined && <span class="menu-text">{text}</span>}
        {variant === 'primary' && <Icon name="down" />}
      </button>
      {open && (
        <div
          ref={list}
          id={id}
          class="menu-list"
          role="menu"
          aria-label={label}
          onKeyDown={(event) => {
            // Escape closes only the menu, not what it is in.
            if (event.key === 'Escape') event.stopPropagation();
            if (event.key === 'Escape' || event.key === 'Tab') close();
            else if (move(box.current, event.key)) event.preventDefault();
          }}
        >
          {groups.map((items, index) => (
            <div key={index} role="group" class="menu-group">
              {items.map((item) => (
                <button
                  key={item.label}
                  type="button"
                  role={item.chosen === undefined ? 'menuitem' : 'menuitemradio'}
                  aria-checked={item.chosen}
                  tabIndex={-1}
                  onClick={() => {
                    close();
                    item.act();
                  }}
                >
                  {item.icon && <Icon name={item.icon} />}
                  {item.chosen && <Icon name="check" />}
                  <span>{item.label}</span>
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Pixels between a list and the edge of the window. */
const marginPx = 8;

/** A list begins below the end of its button, which may be near the other edge of the window. */
function keepInWindow(list: HTMLElement | null): void {
  const beyond = marginPx - (list?.getBoundingClientRect().left ?? marginPx);
  if (list && beyond > 0) list.style.translate = `${beyond}px`;
}

const itemsOf = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? []),
];

/** @returns whether the key moves between items. */
function move(box: HTMLElement | null, key: string): boolean {
  const items = itemsOf(box);
  const now = items.findIndex((item) => item === document.activeElement);
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[key];
  if (to === undefined) return false;
  items[(to + items.length) % items.length]?.focus();
  return true;
}
