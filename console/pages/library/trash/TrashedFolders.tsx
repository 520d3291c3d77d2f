import { useState } from 'preact/hooks';
import { Button } from '../../../components/Button';
import { ErrorNote } from '../../../components/ErrorNote';
import { Icon } from '../../../components/Icon';
import { t } from '../../../core/i18n';
import { useRead } from '../../../core/use-read';
import { trashedFolders } from '../actions';
import type { Library } from '../library';
import type { Folder } from '../listing';
import type { DaysLeft } from './days-left';
import { DeleteDialog } from './DeleteDialog';
import './trash.css';

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
                onClick={() => actions.restore([{ is_folder: true, data: folder }])}
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
        <DeleteDialog library={library} folder={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </>
  );
}

const leftOf = (days: number | undefined): string =>
  days === undefined ? '' : t('library.daysLeft', { count: days });
