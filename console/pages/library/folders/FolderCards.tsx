import { t } from '../../../core/i18n';
import type { Library } from '../library';
import type { Folder } from '../listing';
import { FolderCard } from './FolderCard';
import './folders.css';

interface FolderCardsProps {
  readonly library: Library;
  readonly folders: readonly Folder[];
}

/** The folders in a folder. */
export function FolderCards({ library, folders }: FolderCardsProps) {
  if (folders.length === 0) return null;
  return (
    <ul class="folder-cards" aria-label={t('library.folders')}>
      {folders.map((folder) => (
        <FolderCard key={folder.id} library={library} folder={folder} />
      ))}
    </ul>
  );
}
