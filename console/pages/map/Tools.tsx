import { useState } from 'preact/hooks';
import { Button } from '../../components/Button';
import { CopyButton } from '../../components/CopyButton';
import { Select } from '../../components/Select';
import { t } from '../../core/i18n';
import type { Circle } from './circle';
import { CircleTools } from './CircleTools';
import type { Detailed, Filters } from './filters';
import type { Start } from './start';
import { TimeSlider } from './TimeSlider';
import type { View } from './view';

interface ToolsProps {
  readonly start: Start;
  readonly view: View | undefined;
  readonly filters: Filters;
  readonly onFilters: (filters: Filters) => void;
  readonly circle: Circle | undefined;
  readonly onCircle?: (circle: Circle | undefined) => void;
  /** URL of what is shown. */
  readonly link: string;
}

const states = ['True', 'False', 'None'] as const satisfies readonly Detailed[];

const stateText = (state: Detailed | 'any'): string =>
  t('map.detailed', { state: t(`detailed.${state}`) });

/** What the map is limited to, and a link to it. On narrow screens, behind a button. */
export function Tools(props: ToolsProps) {
  const { start, view, filters, onFilters, circle, onCircle, link } = props;
  const [open, setOpen] = useState(false);
  return (
    <>
      <div class="map-more">
        <Button icon="filter" iconOnly expanded={open} onClick={() => setOpen(!open)}>
          {t('library.filters')}
        </Button>
      </div>
      <div class={open ? 'map-tools map-panel open' : 'map-tools map-panel'}>
        <TimeSlider
          first={start.first}
          last={start.last}
          period={filters}
          onChange={(period) => onFilters({ ...filters, ...period })}
        />
        <Select
          label={t('field.has_det')}
          bare
          value={filters.detailed ?? 'any'}
          options={[
            { value: 'any', label: stateText('any') },
            ...states.map((value) => ({ value, label: stateText(value) })),
          ]}
          onChange={(value) =>
            onFilters({ ...filters, detailed: value === 'any' ? undefined : value })
          }
        />
        {onCircle && <CircleTools circle={circle} onCircle={onCircle} view={view} />}
        <CopyButton value={link} name={t('map.copyLink')} />
      </div>
    </>
  );
}
