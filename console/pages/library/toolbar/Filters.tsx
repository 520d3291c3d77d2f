import { Button } from '../../../components/Button';
import { Field } from '../../../components/Field';
import { Popover } from '../../../components/Popover';
import { day, days } from '../../../core/amounts';
import { apiDay } from '../../../core/days';
import { t } from '../../../core/i18n';
import { detailed } from '../view';
import type { View } from '../view';

interface FiltersProps {
  readonly view: View;
  readonly onShow: (view: View) => void;
}

/** Chips that narrow a list; each says what it does, and has a way to end that. */
export function Filters({ view, onShow }: FiltersProps) {
  return (
    <div class="filters" role="group" aria-label={t('library.filters')}>
      <Popover label={datesOf(view)} active={view.from !== '' || view.to !== ''}>
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
        <Button onClick={() => onShow({ ...view, from: '', to: '' })}>
          {t('library.anyDate')}
        </Button>
      </Popover>
      <Popover label={addressOf(view)} active={view.detailed !== ''}>
        {detailed.map((value) => (
          <Button
            key={value}
            variant="quiet"
            pressed={view.detailed === value}
            onClick={() => onShow({ ...view, detailed: value })}
          >
            {t(`detailed.${value || 'any'}`)}
          </Button>
        ))}
      </Popover>
    </div>
  );
}

function datesOf({ from, to }: View): string {
  if (from && to) return from <= to ? days(apiDay(from), apiDay(to)) : t('library.dates');
  if (from) return t('library.since', { day: day(apiDay(from)) });
  return to ? t('library.until', { day: day(apiDay(to)) }) : t('library.dates');
}

const addressOf = ({ detailed: state }: View): string =>
  state ? `${t('field.address_det')}: ${t(`detailed.${state}`)}` : t('field.address_det');
