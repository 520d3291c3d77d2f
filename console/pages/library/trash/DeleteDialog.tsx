import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { ErrorNote } from '../../../components/ErrorNote';
import { toast } from '../../../components/Toast';
import { t } from '../../../core/i18n';
import { useSaving } from '../../../core/use-saving';
import { deleteFolder } from '../actions';
import type { Library } from '../library';
import type { Folder } from '../listing';

interface DeleteDialogProps {
  readonly library: Library;
  readonly folder: Folder;
  readonly onClose: () => void;
}

/** Asks before a folder is deleted for good: nothing brings it back. */
export function DeleteDialog({ library, folder, onClose }: DeleteDialogProps) {
  const { busy, problem, save } = useSaving();
  const confirm = (): void =>
    save(async () => {
      const { deleted_images: images } = await deleteFolder(library.access, folder.id);
      onClose();
      toast(t('library.deleted', { title: folder.title, count: images.length }));
      library.refresh({ folders: true });
    });
  return (
    <Dialog title={t('library.deleteTitle', { title: folder.title })} onClose={onClose}>
      <p>{t('library.deleteHint')}</p>
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="danger" busy={busy} onClick={confirm}>
          {t('action.deleteNow')}
        </Button>
      </div>
    </Dialog>
  );
}
