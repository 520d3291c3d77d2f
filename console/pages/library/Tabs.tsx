import { Icon } from '../../components/Icon';
import type { IconName } from '../../components/Icon';
import { t } from '../../core/i18n';
import type { PlainKey } from '../../core/i18n';
import { hrefOf, path } from '../../core/router';
import { accessTo } from './access';
import { libraryOf } from './library';
import { useCamera } from './upload/camera';

const places: readonly (readonly [to: string, icon: IconName, title: PlainKey])[] = [
  ['/library', 'library', 'library.title'],
  ['/map', 'map', 'map.title'],
  ['/links', 'link', 'links.heading'],
];

/** What a user does most, within reach of a thumb. Photographs go to the folder that was open last. */
export default function Tabs({ owner }: { readonly owner: string }) {
  const library = libraryOf(accessTo(owner));
  const camera = useCamera(library.uploads, library.folder);
  return (
    <nav class="tabs" aria-label={t('shell.tabs')}>
      {places.map(([to, icon, title]) => (
        <a key={to} href={hrefOf(to)} aria-current={path.value.startsWith(to) ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{t(title)}</span>
        </a>
      ))}
      <button type="button" onClick={camera.open}>
        <Icon name="camera" />
        <span>{t('shell.camera')}</span>
      </button>
      {camera.input}
    </nav>
  );
}
