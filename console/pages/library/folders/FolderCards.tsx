import { useState } from 'preact/hooks';
import { Icon } from '../../../components/Icon';
import { Menu } from '../../../components/Menu';
import type { MenuItem } from '../../../components/Menu';
import { day, days } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { hrefOf, path } from '../../../core/router';
import { archiveOf } from '../actions';
import { dragged, hasThings, putThings } from '../dragging';
import type { Library } from '../library';
import type { CountedFolder } from '../listing';
import { allImages, queryOf } from '../view';
import './folders.css';

interface FolderCardsProps {
  readonly library: Library;
  readonly folders: readonly CountedFolder[];
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

interface FolderCardProps {
  readonly library: Library;
  readonly folder: CountedFolder;
}

/** A folder with some of its pictures, and what can be done with it. */
function FolderCard({ library, folder }: FolderCardProps) {
  const { actions } = library;
  const [over, setOver] = useState(false);
  const { image_count_below: count = 0, first_taken_at: first, last_taken_at: last } = folder;
  return (
    <li
      class={over ? 'folder-card over' : 'folder-card'}
      draggable
      onDragStart={(event) => putThings(event, { images: [], folder })}
      onDragOver={(event) => {
        if (!hasThings(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        dragged(event, (things) => actions.move(things, folder.id));
      }}
    >
      <a
        class="folder-open"
        href={hrefOf(`${path.value}${queryOf({ ...allImages, folder: folder.id })}`)}
        draggable={false}
        aria-label={t('library.folderNamed', { title: folder.title })}
      >
        <FolderCover library={library} urls={folder.cover ?? []} />
      </a>
      <div class="folder-about" aria-hidden="true">
        <p class="folder-title">{folder.title}</p>
        <p class="hint">{t('library.imageCount', { count })}</p>
        <p class="hint">{first && last && rangeOf(first.slice(0, 8), last.slice(0, 8))}</p>
      </div>
      <Menu
        label={t('library.actionsFor', { title: folder.title })}
        icon="more"
        groups={groupsFor(library, folder)}
      />
    </li>
  );
}

function groupsFor({ actions }: Library, folder: CountedFolder): (readonly MenuItem[])[] {
  const of = { images: [], folder };
  return [
    [
      { label: t('action.rename'), icon: 'edit', act: () => actions.ask({ what: 'name', folder }) },
      { label: t('action.move'), icon: 'move', act: () => actions.ask({ what: 'folder', of }) },
      { label: t('action.link'), icon: 'link', act: () => actions.ask({ what: 'link', of }) },
      {
        label: t('action.downloadZip'),
        icon: 'download',
        act: () => actions.download(archiveOf(of)),
      },
    ],
    [{ label: t('action.trash'), icon: 'trash', act: () => actions.trash(of) }],
  ];
}

function rangeOf(first: string, last: string): string {
  return first === last ? day(first) : days(first, last);
}

interface FolderCoverProps {
  readonly library: Library;
  /** Of its newest pictures. */
  readonly urls: readonly string[];
}

/** URLs that are younger have not expired: a picture that fails to load has another reason. */
const youngMs = 30_000;

function FolderCover({ library: { tree }, urls }: FolderCoverProps) {
  const [since] = useState(Date.now);
  return (
    <span class={`folder-cover of-${urls.length}`}>
      {urls.length === 0 && <Icon name="folder" />}
      {urls.map((url) => (
        <img
          key={url}
          src={url}
          alt=""
          decoding="async"
          loading="lazy"
          draggable={false}
          onError={() => Date.now() - since > youngMs && void tree.reload()}
        />
      ))}
    </span>
  );
}
