import { DescriptionList } from '../../components/DescriptionList';
import { size, time } from '../../core/amounts';
import { t } from '../../core/i18n';
import type { Image } from './record';

/** An item for what is known. */
const told = (title: string, value: string | number | null, unit = ''): [string, string][] =>
  value === null ? [] : [[title, `${value}${unit}`]];

/** Properties of the file. */
export function FileDetails({ image }: { readonly image: Image }) {
  return (
    <section class="part">
      <h2>{t('picture.file')}</h2>
      <DescriptionList
        items={[
          ...told(t('field.originalName'), image.original_name),
          [t('field.filename'), image.filename],
          [t('field.format'), image.image_resource_type],
          [t('field.resolution'), image.resolution.replace('x', ' × ')],
          [t('field.size'), size(image.filesize_mb)],
          ...(image.taken_at ? [[t('field.taken'), time(image.taken_at)] as const] : []),
          ...told(t('field.camera'), image.camera),
          ...told(t('field.direction'), image.direction, '°'),
          ...told(t('field.altitude'), image.altitude_m, ' m'),
          ...told(t('field.accuracy'), image.accuracy_m, ' m'),
          [t('column.created'), time(image.created_at)],
          [t('field.updated'), time(image.updated_at)],
          ...(image.delete_at ? [[t('field.trashed'), time(image.delete_at)] as const] : []),
        ]}
      />
    </section>
  );
}
