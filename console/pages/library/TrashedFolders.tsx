import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { Icon } from '../../components/Icon';
import { t } from '../../core/i18n';
import { useRead } from '../../core/use-read';
import { trashedFolders } from './actions';
import type { Library } from './library';
import type { Item } from './listing';

interface TrashedFoldersProps {
  readonly library: Library;
  readonly onRestore: (items: readonly Item[]) => void;
}

/** Folders in the trash; restoring one also restores what was trashed with it. */
export function TrashedFolders({ library, onRestore }: TrashedFoldersProps) {
  const { data, problem, again } = useRead(
    (signal) => trashedFolders(library.access, signal),
    [library, library.tree.version.value],
  );
  return (
    <>
      <ErrorNote problem={problem} onRetry={again} />
      {data && data.length > 0 && (
        <ul class="trashed-folders" aria-label={t('library.trashedFolders')}>
          {data.map((folder) => (
            <li key={folder.id}>
              <Icon name="folder" />
              <span>{folder.title}</span>
              <Button
                variant="quiet"
                icon="restore"
                onClick={() => onRestore([{ is_folder: true, data: folder }])}
              >
                {t('action.restoreNamed', { title: folder.title })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
