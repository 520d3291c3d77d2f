import { useRef, useState } from 'preact/hooks';
import { Menu } from '../../../components/Menu';
import type { MenuItem } from '../../../components/Menu';
import { t } from '../../../core/i18n';
import { isTouched } from '../dragging';
import type { Library } from '../library';
import { DetailsDialog } from '../upload/DetailsDialog';
import { picked } from '../upload/dropped';
import { useCamera } from '../upload/camera';

interface UploadMenuProps {
  readonly library: Library;
  /** The folder that it goes to. */
  readonly into: string;
}

/** Missing in Preact's types. */
const ofFolders = { webkitdirectory: true };

/** Everything that adds to a folder. */
export function UploadMenu({ library, into }: UploadMenuProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const { uploads } = library;
  const camera = useCamera(uploads, into);
  const take = (input: HTMLInputElement): void => {
    const found = picked(input.files ?? []);
    input.value = '';
    uploads.add(found, into);
  };
  const takePicture: MenuItem = { label: t('upload.camera'), icon: 'camera', act: camera.open };
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
      {camera.input}
      <Menu
        label={t('upload.menu')}
        text={t('upload.menu')}
        icon="upload"
        variant="primary"
        groups={[
          [
            { label: t('upload.files'), icon: 'upload', act: () => files.current?.click() },
            { label: t('upload.folder'), icon: 'folder', act: () => folder.current?.click() },
            ...(isTouched ? [takePicture] : []),
          ],
          [
            { label: t('upload.details'), icon: 'edit', act: () => setAsking(true) },
            {
              label: t('library.newFolder'),
              icon: 'plus',
              act: () => library.actions.ask({ what: 'name', parent: into }),
            },
          ],
        ]}
      />
      {asking && (
        <DetailsDialog
          details={uploads.details.value}
          onChange={(details) => (uploads.details.value = details)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
