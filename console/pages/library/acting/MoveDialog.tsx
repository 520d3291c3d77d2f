import { useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { t } from '../../../core/i18n';
import { Tree } from '../tree/Tree';
import { root } from '../tree/tree';
import type { FolderTree } from '../tree/tree';

interface MoveDialogProps {
  readonly tree: FolderTree;
  readonly count: number;
  readonly onClose: () => void;
  readonly onChoose: (id: string) => void;
}

/** Asks for a folder, to move things without dragging them. */
export function MoveDialog({ tree, count, onClose, onChoose }: MoveDialogProps) {
  const [chosen, setChosen] = useState(root);
  return (
    <Dialog title={t('library.moveTo', { count })} onClose={onClose}>
      <div class="move-tree">
        <Tree tree={tree} chosen={chosen} onChoose={setChosen} />
      </div>
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="primary" onClick={() => onChoose(chosen)}>
          {t('action.moveHere')}
        </Button>
      </div>
    </Dialog>
  );
}
