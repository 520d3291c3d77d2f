import { useEffect } from 'preact/hooks';
import { t } from '../../../core/i18n';
import type { Library } from '../library';
import { MoveDialog } from './MoveDialog';
import { NameDialog } from './NameDialog';

/** What actions ask for, and say, on any page; and Ctrl+Z. */
export function ActionDialogs({ library }: { readonly library: Library }) {
  const { actions } = library;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const undo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!undo || isField(event.target)) return;
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

function Asked({ library }: { readonly library: Library }) {
  const { actions } = library;
  const asking = actions.asking.value;
  if (!asking) return null;
  const close = (): void => void (actions.asking.value = undefined);
  switch (asking.what) {
    case 'place': {
      const { items } = asking;
      const choose = (id: string): void => {
        close();
        actions.move(items, id);
      };
      return (
        <MoveDialog tree={library.tree} count={items.length} onClose={close} onChoose={choose} />
      );
    }
    case 'name': {
      const title = 'folder' in asking ? asking.folder.title : undefined;
      const name = (next: string): Promise<void> => actions.name(asking, next);
      return <NameDialog title={title} onClose={close} onName={name} />;
    }
  }
}
