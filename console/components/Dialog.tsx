import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../core/i18n';
import { Button } from './Button';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The reader closes it: by Escape, by a click beside it, or by its button. */
  readonly onClose: () => void;
}

/** A modal dialog that keeps the focus inside; it then returns to where it was before. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Its cleanup comes while the dialog is still there: only then, closing gives the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      // It has the focus when what had it inside has gone.
      tabIndex={-1}
      aria-labelledby={id}
      // A browser closes a dialog by itself when Escape is pressed twice.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button variant="quiet" icon="close" iconOnly onClick={onClose}>
            {t('action.close')}
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
