import { size, time } from '../../core/amounts';
import { t } from '../../core/i18n';
import { downloadName, uploadName } from '../library/download-name';
import type { Image } from './record';

export interface Version {
  readonly id: string;
  readonly name: string;
  /** Identifies it in a list. */
  readonly label: string;
  readonly at: string;
  /** Its time and other details. */
  readonly about: readonly string[];
  /** Such as `4000x3000`; the record does not tell that of an upload that was edited. */
  readonly resolution: string | undefined;
  /** Its rendition, or its file. */
  readonly url: string;
  /** The whole picture as any browser shows it. */
  readonly whole: string | undefined;
  /** Its file, and the name under which that is saved. */
  readonly file: string;
  readonly filename: string;
}

/** The upload and all edits, oldest first. */
export function versionsOf(image: Image): Version[] {
  const edited = (image.filedatas ?? []).length > 0;
  const upload = {
    id: image.id,
    name: t('picture.upload'),
    label: t('picture.upload'),
    at: image.created_at,
    about: [time(image.created_at)],
    resolution: edited ? undefined : image.resolution,
    url: edited ? image.org_path_url : image.path_url,
    whole: edited ? undefined : image.full_url,
    file: image.org_path_url,
    filename: uploadName(image),
  };
  const edits = (image.filedatas ?? []).map((edit, index) => {
    // The rendition has fewer pixels: what is saved is the whole, and has the name of its kind of file.
    const whole = edit.full_url ?? edit.path_url;
    const isMade = new URL(whole, location.href).pathname.endsWith('/full');
    const [n, at, megabytes] = [index + 1, time(edit.created_at), size(edit.filesize_mb)];
    return {
      id: edit.id,
      name: t('picture.editNumber', { n }),
      label: t('picture.edit', { n, time: at, size: megabytes }),
      at: edit.created_at,
      about: [at, megabytes, edit.image_resource_type, edit.resolution.replace('x', ' × ')],
      resolution: edit.resolution,
      url: edit.path_url,
      whole: edit.full_url,
      file: whole,
      filename: isMade
        ? downloadName(image, n, edit.path_url)
        : (edit.original_name ?? downloadName(image, n, whole)),
    };
  });
  return [upload, ...edits];
}
