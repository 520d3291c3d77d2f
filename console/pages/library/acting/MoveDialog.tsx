import { useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { t } from '../../../core/i18n';
import type { Library } from '../library';
import type { Things } from '../listing';
import { Tree } from '../tree/Tree';
import { root } from '../tree/tree';
import { TextsDialog } from './TextsDialog';

interface MoveDialogProps {
  readonly library: Library;
  readonly of: Things;
  readonly onClose: () => void;
}

/** Asks for a folder, which may be a new one, to move things without dragging them. */
export function MoveDialog({ library: { actions, tree }, of, onClose }: MoveDialogProps) {
  const [chosen, setChosen] = useState(root);
  const [isNaming, setNaming] = useState(false);
  const create = async (title: string): Promise<void> => {
    const id = await actions.name({ parent: chosen }, title);
    await tree.reload();
    tree.open(chosen);
    setChosen(id);
  };
  const count = of.images.length + (of.folder ? 1 : 0);
  return (
    <Dialog title={t('library.moveTo', { count })} onClose={onClose}>
      <div class="move-tree">
        <Tree tree={tree} chosen={chosen} onChoose={setChosen} />
      </div>
      <div class="dialog-actions">
        <Button icon="plus" onClick={() => setNaming(true)}>
          {t('library.newFolder')}
        </Button>
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button
          variant="primary"
          onClick={() => {
            onClose();
            actions.move(of, chosen);
          }}
        >
          {t('action.moveHere')}
        </Button>
      </div>
      {isNaming && (
        <TextsDialog
          title={t('library.newFolder')}
          texts={{ name: { label: t('library.folderName'), required: true } }}
          label={t('action.create')}
          save={({ name }) => create(name.trim())}
          onClose={() => setNaming(false)}
        />
      )}
    </Dialog>
  );
}
