import { useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { ErrorNote } from '../../../components/ErrorNote';
import { ConfirmDialog } from '../../../components/ConfirmDialog';
import { Icon } from '../../../components/Icon';
import { toast } from '../../../components/Toast';
import { dayOfStamp, daysBetween, todayIn } from '../../../core/days';
import { t } from '../../../core/i18n';
import { serviceSettings } from '../../../core/service';
import { useRead } from '../../../core/use-read';
import { deleteFolder } from '../actions';
import type { Library } from '../library';
import { trashedFolders } from '../listing';
import type { Folder } from '../listing';
import './trash.css';

/** How many days something stays in the trash; undefined if it stays, or as long as nobody knows. */
export type DaysLeft = (thing: { readonly delete_at: string | null }) => number | undefined;

export function useDaysLeft(): DaysLeft {
  const { data } = useRead(serviceSettings, []);
  return ({ delete_at: trashed }) => {
    if (!data?.trash_days || trashed === null) return undefined;
    const gone = daysBetween(dayOfStamp(trashed), todayIn(data.time_zone));
    return Math.max(0, data.trash_days - gone);
  };
}

interface TrashedFoldersProps {
  readonly library: Library;
  readonly daysLeft: DaysLeft;
}

/** Folders in the trash; restoring one also restores what was trashed with it. */
export function TrashedFolders({ library, daysLeft }: TrashedFoldersProps) {
  const { access, actions, changes } = library;
  const { data, problem, again } = useRead(
    (signal) => trashedFolders(access, signal),
    [access, changes.value],
  );
  const [deleting, setDeleting] = useState<Folder>();
  const remove = async ({ id, title }: Folder): Promise<void> => {
    const { deleted_images: images } = await deleteFolder(access, id);
    toast(t('library.deleted', { title, count: images.length }));
    library.refresh();
  };
  return (
    <>
      <ErrorNote problem={problem} onRetry={again} />
      {data && data.length > 0 && (
        <ul class="trashed-folders" aria-label={t('library.trashedFolders')}>
          {data.map((folder) => (
            <li key={folder.id}>
              <Icon name="folder" />
              <p>
                {folder.title} <span class="hint">{leftOf(daysLeft(folder))}</span>
              </p>
              <Button
                variant="quiet"
                icon="restore"
                iconOnly
                onClick={() => actions.restore({ images: [], folder })}
              >
                {t('action.restoreNamed', { title: folder.title })}
              </Button>
              <Button variant="quiet" icon="trash" iconOnly onClick={() => setDeleting(folder)}>
                {t('library.deleteNamed', { title: folder.title })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {deleting && (
        <ConfirmDialog
          title={t('library.deleteTitle', { title: deleting.title })}
          text={t('library.deleteHint')}
          label={t('action.deleteNow')}
          act={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

const leftOf = (days: number | undefined): string =>
  days === undefined ? '' : t('library.daysLeft', { count: days });
