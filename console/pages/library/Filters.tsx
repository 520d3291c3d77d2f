import { Field } from '../../components/Field';
import { Select } from '../../components/Select';
import { t } from '../../core/i18n';
import { detailed } from './view';
import type { View } from './view';

interface FiltersProps {
  readonly view: View;
  readonly onShow: (view: View) => void;
}

/** Filters that narrow a list, each as soon as it is set. */
export function Filters({ view, onShow }: FiltersProps) {
  const states = detailed.map((value) => ({ value, label: t(`detailed.${value || 'any'}`) }));
  return (
    <fieldset class="filters">
      <legend class="unseen">{t('library.filters')}</legend>
      <Field
        type="date"
        label={t('library.from')}
        value={view.from}
        onInput={(from) => onShow({ ...view, from })}
      />
      <Field
        type="date"
        label={t('library.to')}
        value={view.to}
        onInput={(to) => onShow({ ...view, to })}
      />
      <Select
        label={t('field.has_det')}
        value={view.detailed}
        options={states}
        onChange={(state) => onShow({ ...view, detailed: state })}
      />
    </fieldset>
  );
}
