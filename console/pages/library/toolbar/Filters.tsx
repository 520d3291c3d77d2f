import { Button } from '../../../components/Button';
import { Check } from '../../../components/Check';
import { ErrorNote } from '../../../components/ErrorNote';
import { Field } from '../../../components/Field';
import { Popover } from '../../../components/Popover';
import { Select } from '../../../components/Select';
import { day, days, time } from '../../../core/amounts';
import { apiDay } from '../../../core/days';
import { t } from '../../../core/i18n';
import { useRead } from '../../../core/use-read';
import type { Access } from '../access';
import { root } from '../tree/tree';
import { detailed, filtersIn, placed } from '../view';
import type { View } from '../view';

interface FiltersProps {
  readonly access: Access;
  readonly view: View;
  readonly onShow: (view: View) => void;
}

/** Chips that narrow a list; each says what it does, and has a way to end that. */
export function Filters({ access, view, onShow }: FiltersProps) {
  const others = { ...view, from: '', to: '' };
  const inFolder = view.folder !== undefined && view.folder !== root;
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
      <Popover label={othersOf(others)} active={filtersIn(others) > 0 || view.below}>
        {inFolder && (
          <Check
            label={t('library.below')}
            checked={view.below}
            onChange={(below) => onShow({ ...view, below })}
          />
        )}
        <Choices access={access} view={view} onShow={onShow} />
      </Popover>
    </div>
  );
}

const any = { value: '', label: t('detailed.any') };

/** What the newest images and sets have, and what is chosen already. */
const choosing = (chosen: string, offered: readonly string[]) => [
  any,
  ...[...new Set([...(chosen ? [chosen] : []), ...offered])].map((value) => ({
    value,
    label: value,
  })),
];

/** Everything but dates; what there is to choose from is read when this is opened. */
function Choices({ access, view, onShow }: FiltersProps) {
  const { data, problem, again } = useRead((signal) => readChoices(access, signal), [access]);
  const customs = data?.customs ?? [];
  const sets = (data?.sets ?? []).map(({ id, title, created_at: at }) => ({
    value: id,
    label: [title, time(at)].filter(Boolean).join(' · '),
  }));
  const isOffered = view.set === '' || sets.some(({ value }) => value === view.set);
  return (
    <>
      <Select
        label={t('picture.place')}
        value={view.placed}
        options={placed.map((value) => ({ value, label: t(`placed.${value || 'any'}`) }))}
        onChange={(value) => onShow({ ...view, placed: value })}
      />
      <Select
        label={t('field.address_det')}
        value={view.detailed}
        options={detailed.map((value) => ({ value, label: t(`detailed.${value || 'any'}`) }))}
        onChange={(value) => onShow({ ...view, detailed: value })}
      />
      <Select
        label={t('field.camera')}
        value={view.camera}
        options={choosing(view.camera, data?.cameras.map(({ camera }) => camera) ?? [])}
        onChange={(camera) => onShow({ ...view, camera })}
      />
      <Select
        label={t('library.set')}
        value={view.set}
        options={[any, ...(isOffered ? [] : [{ value: view.set, label: view.set }]), ...sets]}
        onChange={(set) => onShow({ ...view, set })}
      />
      <Select
        label={t('library.customKey')}
        value={view.customKey}
        options={choosing(
          view.customKey,
          customs.map(({ key }) => key),
        )}
        onChange={(customKey) => onShow({ ...view, customKey, customValue: '' })}
      />
      {view.customKey && (
        <Select
          label={t('library.customValue')}
          value={view.customValue}
          options={choosing(
            view.customValue,
            customs.find(({ key }) => key === view.customKey)?.values ?? [],
          )}
          onChange={(customValue) => onShow({ ...view, customValue })}
        />
      )}
      <ErrorNote problem={problem} onRetry={again} />
    </>
  );
}

/** Upload sets to choose from: the newest. */
const maxSets = 100;

async function readChoices(access: Access, signal: AbortSignal) {
  const path = { user_id: access.userId };
  const [choices, sets] = await Promise.all([
    access.call((client) =>
      client.GET('/api/v1/users/{user_id}/images/choices', { params: { path }, signal }),
    ),
    access.call((client) =>
      client.GET('/api/v1/users/{user_id}/upload-sets', {
        params: { path, query: { page_size: maxSets } },
        signal,
      }),
    ),
  ]);
  return { ...choices, sets: sets.items };
}

function datesOf({ from, to }: View): string {
  if (from && to) return from <= to ? days(apiDay(from), apiDay(to)) : t('library.dates');
  if (from) return t('library.since', { day: day(apiDay(from)) });
  return to ? t('library.until', { day: day(apiDay(to)) }) : t('library.dates');
}

/** One filter says what it is, several how many they are. */
function othersOf(view: View): string {
  const { customKey: key, customValue: value } = view;
  const said = [
    view.placed && t(`placed.${view.placed}`),
    view.detailed && `${t('field.address_det')}: ${t(`detailed.${view.detailed}`)}`,
    view.camera,
    view.set && t('library.set'),
    value ? `${key}: ${value}` : key,
    view.below ? t('library.below') : '',
  ].filter(Boolean);
  const [only = t('library.filters')] = said;
  return said.length > 1 ? `${t('library.filters')}: ${said.length}` : only;
}
