import { Icon } from './Icon';
import type { IconName } from './Icon';
import { keepEscape, usePanel } from './Popover';

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

const anyItem = '[role^=menuitem]';

/** A button that opens a list of actions (WAI-ARIA, menu button). */
export function Menu({ label, icon, text, variant = 'quiet', groups }: MenuProps) {
  const { open, close, panel, button } = usePanel(anyItem);
  return (
    <div class="menu">
      <button
        {...button}
        class={`button ${variant} ${text === undefined ? 'icon-only' : ''}`}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
      >
        <Icon name={icon} />
        {text !== undefined && <span class="menu-text">{text}</span>}
        {variant === 'primary' && <Icon name="down" />}
      </button>
      <div
        {...panel}
        class="floating menu-list"
        role="menu"
        aria-label={label}
        onKeyDown={(event) => {
          keepEscape(event);
          if (event.key === 'Tab') close();
          else if (move(panel.ref.current, event.key)) event.preventDefault();
        }}
      >
        {open &&
          groups.map((items, index) => (
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
    </div>
  );
}

/** @returns whether the key moves between items. */
function move(list: HTMLElement | null, key: string): boolean {
  const items = [...(list?.querySelectorAll<HTMLElement>(anyItem) ?? [])];
  const now = items.findIndex((item) => item === document.activeElement);
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[key];
  if (to === undefined) return false;
  items[(to + items.length) % items.length]?.focus();
  return true;
}
