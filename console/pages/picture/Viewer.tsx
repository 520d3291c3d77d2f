import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Toasts } from '../../components/Toast';
import { Waiting } from '../../components/Waiting';
import { shortcutOf } from '../../core/keys';

/** @returns whether a key means anything; `Ctrl+` stands before it for ⌘, too. */
export type OnKey = (key: string) => boolean;

interface ViewerProps {
  /** What screen readers call it. */
  readonly name: string;
  /** The element that fills the screen in full screen. */
  readonly room: RefObject<HTMLDivElement | null>;
  /** For keys that are not typed into something. */
  readonly onKey: OnKey;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}

/** What handles the keys that are pressed in it by itself. */
const typing = 'input, textarea, select, .map-view, [role=menu]';

/** A dark room over the whole window, which keeps the focus inside. */
export function Viewer({ name, room, onKey, onLeave, children }: ViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    room.current?.focus();
    return () => shown?.close();
  }, []);
  const latest = useRef(onKey);
  latest.current = onKey;
  // Of the whole document: what had the focus may have gone.
  useEffect(() => {
    const press = (event: KeyboardEvent): void => pressed(event, room.current, latest.current);
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={name}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onLeave();
      }}
    >
      <div ref={room} class="viewer-room" tabIndex={-1}>
        <Waiting />
        {children}
        <Toasts />
      </div>
    </dialog>
  );
}

function pressed(event: KeyboardEvent, room: HTMLElement | null, onKey: OnKey): void {
  const { target } = event;
  const key = shortcutOf(event);
  const field = target instanceof Element ? target.closest(typing) : null;
  // A dialog over the viewer has the keys to itself.
  if (event.defaultPrevented || room?.querySelector('dialog[open]')) return;
  if (field && key !== 'Escape') return;
  const isControl = event.ctrlKey || event.metaKey;
  // Escape leaves what is typed into, and only then anything else.
  if (field) room?.focus();
  const handled = field ? true : !event.altKey && onKey(isControl ? `Ctrl+${key}` : key);
  if (handled) event.preventDefault();
}
