import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { Dialog } from '../../../components/Dialog';
import { ErrorNote } from '../../../components/ErrorNote';
import { Progress } from '../../../components/Progress';
import { size } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { useRead } from '../../../core/use-read';
import { useSaving } from '../../../core/use-saving';
import { emptyTrash } from '../actions';
import type { Library } from '../library';
import { filtersOf, listImages, trashedFolders } from '../listing';
import { allImages } from '../view';

interface EmptyDialogProps {
  readonly library: Library;
  readonly onClose: () => void;
}

/** Asks before the whole trash is deleted for good, and shows how far that is. */
export function EmptyDialog({ library, onClose }: EmptyDialogProps) {
  const { access, actions } = library;
  const { busy, problem, save } = useSaving();
  const [left, setLeft] = useState<number>();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const trash = useRead(async (signal) => {
    const one = { ...filtersOf({ ...allImages, trash: true }), page_size: 1 };
    const [images, folders] = await Promise.all([
      listImages(access, one, signal),
      trashedFolders(access, signal),
    ]);
    const { total_count: total, total_filesize_mb: megabytes } = images;
    return { total, megabytes, folders: folders.length };
  }, []);
  const empty = (): void =>
    save(async () => {
      const step = ({ remaining_images: images }: { readonly remaining_images: number }): void =>
        setLeft(images);
      const { images } = await emptyTrash(access, step, stop.current.signal);
      actions.emptied(images);
      onClose();
    });
  const { data } = trash;
  return (
    <Dialog title={t('library.emptyTitle')} onClose={onClose}>
      {data && (
        <p>
          {t('library.emptyText', {
            images: t('library.imageCount', { count: data.total }),
            size: size(data.megabytes),
            folders: t('library.folderCount', { count: data.folders }),
          })}
        </p>
      )}
      <ErrorNote problem={trash.problem} onRetry={trash.again} />
      {data && busy && (
        <Progress
          label={t('library.emptying')}
          value={left === undefined ? undefined : 1 - left / Math.max(1, data.total)}
        />
      )}
      <ErrorNote problem={problem} onRetry={empty} />
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button variant="danger" busy={busy} disabled={!data} onClick={empty}>
          {t('library.empty')}
        </Button>
      </div>
    </Dialog>
  );
}
