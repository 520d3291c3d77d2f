import { useEffect } from 'preact/hooks';
import { t } from '../../../core/i18n';
import type { Library } from '../library';
import { Asked } from './Asked';

/** What actions ask for, and say, on any page; and Ctrl+Z. */
export function ActionDialogs({ library }: { readonly library: Library }) {
  const { actions } = library;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const undo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!undo || event.defaultPrevented || isField(event.target)) return;
      event.preventDefault();
      actions.undoLast();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [actions]);
  return (
    <>
      <Asked library={library} />
      <p class="unseen" role="status">
        {actions.busy ? t('library.working') : ''}
      </p>
    </>
  );
}

/** Browsers undo there what was typed. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, textarea, select');
