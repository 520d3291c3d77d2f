import { size, time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { downloadName, uploadName } from '../library/download-name';
import type { Image } from './record';

export interface Version {
  readonly id: string;
  readonly name: string;
  /** Identifies it in a list. */
  readonly label: string;
  /** Its time and other details. */
  readonly about: readonly string[];
  readonly url: string;
  /** The name under which its file is saved. */
  readonly filename: string;
}

/** The upload and all edits, oldest first. */
export function versionsOf(image: Image): Version[] {
  const upload = {
    id: image.id,
    name: t('picture.upload'),
    label: t('picture.upload'),
    about: [time(image.created_at)],
    url: image.org_path_url,
    filename: uploadName(image),
  };
  const edits = (image.filedatas ?? []).map((edit, index) => {
    const [n, at, megabytes] = [index + 1, time(edit.created_at), size(edit.filesize_mb)];
    return {
      id: edit.id,
      name: t('picture.editNumber', { n }),
      label: t('picture.edit', { n, time: at, size: megabytes }),
      about: [at, megabytes, edit.image_resource_type, edit.resolution.replace('x', ' × ')],
      url: edit.path_url,
      filename: downloadName(image, n, edit.path_url),
    };
  });
  return [upload, ...edits];
}
