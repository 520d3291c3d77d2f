import type { ComponentChildren } from 'preact';
import { Check } from '../../../components/Check';
import { DatesFilter } from '../../../components/Dates';
import { ErrorNote } from '../../../components/ErrorNote';
import { Icon } from '../../../components/Icon';
import { Popover } from '../../../components/Popover';
import { Select } from '../../../components/Select';
import { time } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { hrefOf } from '../../../core/router';
import { session } from '../../../core/session';
import { useRead } from '../../../core/use-read';
import type { Access } from '../access';
import { sourceOf } from '../listing';
import { root } from '../tree/tree';
import { detailed, filtersIn, placed, queryOf } from '../view';
import type { View } from '../view';

interface FiltersProps {
  /** Undefined for the map of a platform, which is not one user's. */
  readonly access: Access | undefined;
  readonly view: View;
  readonly onShow: (view: View) => void;
  /** What else can be done with what they leave. */
  readonly children?: ComponentChildren;
}

/** Chips that narrow a list or a map; each says what it does, and has a way to end that. */
export function Filters({ access, view, onShow, children }: FiltersProps) {
  const others = { ...view, from: '', to: '', circle: '' };
  const inFolder = view.folder !== undefined && view.folder !== root;
  return (
    <div class="filters" role="group" aria-label={t('library.filters')}>
      <DatesFilter
        from={view.from}
        to={view.to}
        onChange={(dates) => onShow({ ...view, ...dates })}
        countsOf={access && ((signal) => countsOf(access, view, signal))}
      />
      <Popover label={othersOf(others)} active={filtersIn(others) > 0 || view.below}>
        {inFolder && (
          <Check
            label={t('library.below')}
            checked={view.below}
            onChange={(below) => onShow({ ...view, below })}
          />
        )}
        <Select
          label={t('field.address_det')}
          value={view.detailed}
          options={detailed.map((value) => ({ value, label: t(`detailed.${value || 'any'}`) }))}
          onChange={(value) => onShow({ ...view, detailed: value })}
        />
        {access && <Choices access={access} view={view} onShow={onShow} />}
        {children ?? <MapLink view={view} />}
      </Popover>
      {view.circle && (
        <button
          type="button"
          class="chip active"
          aria-label={t('map.noCircle')}
          title={t('map.noCircle')}
          onClick={() => onShow({ ...view, circle: '' })}
        >
          <span>{t('library.inCircle')}</span>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** The map of a user, narrowed alike. */
const MapLink = ({ view }: { readonly view: View }) =>
  session.value?.userId === undefined || view.trash ? null : (
    <a class="button" href={hrefOf(`/map${queryOf(view)}`)}>
      {t('map.fromList')}
    </a>
  );

const any = { value: '', label: t('detailed.any') };

/** What the newest images and sets have, and what is chosen already. */
const choosing = (chosen: string, offered: readonly string[]) => [
  any,
  ...[...new Set([...(chosen ? [chosen] : []), ...offered])].map((value) => ({
    value,
    label: value,
  })),
];

/** How many images of a list there are on each day, whatever its dates. */
async function countsOf(access: Access, view: View, signal: AbortSignal) {
  const found = await sourceOf(access, { ...view, from: '', to: '' }).days(undefined, signal);
  return new Map(found?.days.map(({ date, count }) => [date, count]));
}

/** What there is to choose from is read when this is opened. */
function Choices({ access, view, onShow }: FiltersProps & { readonly access: Access }) {
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
