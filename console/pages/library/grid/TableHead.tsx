import { Icon } from '../../../components/Icon';
import { t } from '../../../core/i18n';
import type { Sort, View } from '../view';

interface TableHeadProps {
  readonly view: View;
  readonly onShow: (view: View) => void;
}

/** The names of the columns. Lists are in the order of two of them, newest first. */
export function TableHead({ view, onShow }: TableHeadProps) {
  const sorted = (by: Sort, name: string) => (
    <button
      type="button"
      class="line-text"
      aria-pressed={view.sort === by}
      title={t(`sort.${by}`)}
      onClick={() => onShow({ ...view, sort: by })}
    >
      {name}
      {view.sort === by && <Icon name="down" />}
    </button>
  );
  return (
    <div class="line table-head" role="group" aria-label={t('library.columns')}>
      <span />
      {sorted('taken_at', t('field.taken'))}
      <span class="line-text">{t('picture.address')}</span>
      <span class="line-text">{t('field.building_name')}</span>
      <span class="line-text">{t('field.originalName')}</span>
      <span class="line-text">{t('thing.folder')}</span>
      <span class="line-text">{t('picture.memos')}</span>
      {sorted('created_at', t('field.uploaded'))}
    </div>
  );
}
