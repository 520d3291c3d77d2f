import { CopyButton } from '../../../components/Copyable';
import { DescriptionList } from '../../../components/DescriptionList';
import { size, time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import type { Image } from '../record';

/** An item for what is known. */
const told = (title: string, value: string | null): [string, string][] =>
  value === null ? [] : [[title, value]];

/** Properties of the file. */
export function FileDetails({ image }: { readonly image: Image }) {
  const { hashdata: hash } = image;
  return (
    <section class="part">
      <h2>{t('picture.file')}</h2>
      <DescriptionList
        items={[
          ...told(t('field.originalName'), image.original_name),
          ...told(t('field.camera'), image.camera),
          [t('field.resolution'), image.resolution.replace('x', ' × ')],
          [
            t('field.size'),
            `${size(image.filesize_mb)} · ${image.image_resource_type.toUpperCase()}`,
          ],
          [t('column.created'), time(image.created_at)],
          [t('field.updated'), time(image.updated_at)],
          ...(image.delete_at ? [[t('field.trashed'), time(image.delete_at)] as const] : []),
          [
            t('field.hash'),
            <span class="hash">
              <code title={hash}>{hash}</code>
              <CopyButton value={hash} name={t('picture.copyHash')} />
            </span>,
          ],
        ]}
      />
    </section>
  );
}
