import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The reader closes it: by Escape, by a click beside it, or by its button. */
  readonly onClose: () => void;
  /** What is lost when it closes, and so is asked before; by default, what has been typed. */
  readonly losing?: string | undefined;
  /** Has a button at its end, too, that closes it. */
  readonly hasEnd?: boolean;
}

/** A modal dialog that keeps the focus inside; it then returns to where it was before. */
export function Dialog({ title, children, onClose, losing, hasEnd }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressedBeside = useRef(false);
  const isTyped = useRef(false);
  const [asking, setAsking] = useState(false);
  const id = useId();
  // Its cleanup comes while the dialog is still there: only then, closing gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const leave = (): void => {
    const fields = dialog.current?.querySelectorAll('input, textarea') ?? [];
    const isLost = losing !== undefined || (isTyped.current && [...fields].some(hasWords));
    if (isLost) setAsking(true);
    else onClose();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      // It has the focus when what had it inside has gone.
      tabIndex={-1}
      aria-labelledby={id}
      onInput={() => (isTyped.current = true)}
      // A browser closes a dialog by itself when Escape is pressed twice.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
        event.preventDefault();
        if (asking) setAsking(false);
        else leave();
      }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        leave();
      }}
      // A text that is selected beyond the edge is no click beside.
      onPointerDown={({ target }) => (pressedBeside.current = target === dialog.current)}
      onClick={({ target }) => pressedBeside.current && target === dialog.current && leave()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button variant="quiet" icon="close" iconOnly onClick={leave}>
            {t('action.close')}
          </Button>
        </header>
        {children}
        {hasEnd && !asking && (
          <div class="dialog-actions">
            <Button variant="primary" onClick={leave}>
              {t('action.done')}
            </Button>
          </div>
        )}
        {asking && (
          <Asking
            lost={losing ?? t('dialog.typed')}
            onStay={() => setAsking(false)}
            onClose={onClose}
          />
        )}
      </div>
    </dialog>
  );
}

/** Choices are made again soon; words are not. */
const hasWords = (field: Element): boolean =>
  (field instanceof HTMLTextAreaElement ||
    (field instanceof HTMLInputElement && /^(text|number|password)$/.test(field.type))) &&
  field.value.trim() !== '';

interface AskingProps {
  readonly lost: string;
  readonly onStay: () => void;
  readonly onClose: () => void;
}

/** Asks before a dialog closes; who stays goes on where they were. */
function Asking({ lost, onStay, onClose }: AskingProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    box.current?.querySelector('button')?.focus();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <div ref={box} class="dialog-asking" role="alert">
      <p>{lost}</p>
      <div class="dialog-actions">
        <Button onClick={onStay}>{t('dialog.stay')}</Button>
        <Button variant="danger" onClick={onClose}>
          {t('dialog.leave')}
        </Button>
      </div>
    </div>
  );
}
