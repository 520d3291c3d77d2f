import { useRef } from 'preact/hooks';
import { Menu } from '../../../components/Menu';
import type { MenuItem } from '../../../components/Menu';
import { t } from '../../../core/i18n';
import type { Library } from '../library';
import { picked } from '../upload/dropped';

interface UploadMenuProps {
  readonly library: Library;
  /** The folder that it goes to. */
  readonly into: string;
}

/** Phones and tablets open their camera; other browsers would ask for a file. */
const hasCamera = matchMedia('(pointer: coarse)').matches;

/** Missing in Preact's types. */
const ofFolders = { webkitdirectory: true };

/** Everything that adds to a folder. */
export function UploadMenu({ library, into }: UploadMenuProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement): void => {
    const found = picked(input.files ?? []);
    const isCamera = input === camera.current;
    library.uploads.add(isCamera ? found.map((one) => ({ ...one, camera: true })) : found, into);
    input.value = '';
  };
  const takePicture: MenuItem = {
    label: t('upload.camera'),
    icon: 'camera',
    act: () => camera.current?.click(),
  };
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('upload.files')}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        ref={folder}
        {...ofFolders}
        type="file"
        hidden
        aria-label={t('upload.folder')}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('upload.camera')}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <Menu
        label={t('upload.menu')}
        text={t('upload.menu')}
        icon="upload"
        variant="primary"
        groups={[
          [
            { label: t('upload.files'), icon: 'upload', act: () => files.current?.click() },
            { label: t('upload.folder'), icon: 'folder', act: () => folder.current?.click() },
            ...(hasCamera ? [takePicture] : []),
          ],
          [
            {
              label: t('library.newFolder'),
              icon: 'plus',
              act: () => library.actions.ask({ what: 'name', parent: into }),
            },
          ],
        ]}
      />
    </>
  );
}
