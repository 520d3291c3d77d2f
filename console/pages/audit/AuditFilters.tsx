import { Button } from '../../components/Button';
import { Field } from '../../components/Field';
import { Popover } from '../../components/Popover';
import { Select } from '../../components/Select';
import { day, days } from '../../core/amounts';
import { call } from '../../core/api';
import { apiDay } from '../../core/days';
import { t } from '../../core/i18n';
import { session } from '../../core/session';
import { useRead } from '../../core/use-read';
import { everything, queryOf } from './filters';
import type { Filters } from './filters';
import type { AuditEntry } from './use-audit';
import { actInWords, actorInWords, actors, actsFor } from './words';

interface AuditFiltersProps {
  readonly filters: Filters;
  /** In which a user is named whose id the address has. */
  readonly entries: readonly AuditEntry[];
  readonly onShow: (filters: Filters) => void;
}

/** Chips that narrow the audit; the address has them, too. */
export function AuditFilters({ filters, entries, onShow }: AuditFiltersProps) {
  const isOwn = session.value?.scope === 'platform';
  const { user, act, actor, content } = filters;
  const set = (change: Partial<Filters>): void => onShow({ ...filters, ...change });
  const told = isOwn || filters.platform !== '' || user !== '';
  const name = entries.find(({ user_id: id }) => id === user)?.platform_user_id ?? user;
  const known = isOwn ? actors.filter((one) => one !== 'operator') : actors;
  return (
    <div class="audit-filters" role="group" aria-label={t('audit.filters')}>
      <Dates filters={filters} set={set} />
      {!isOwn && <PlatformFilter platform={filters.platform} set={set} />}
      <Popover label={actor ? nameOfActor(actor) : t('audit.who')} active={actor !== ''}>
        <Select
          label={t('audit.who')}
          value={actor}
          options={anyOr(known, nameOfActor)}
          onChange={(chosen) => set({ actor: chosen })}
        />
      </Popover>
      <Popover label={act ? actInWords(act) : t('audit.what')} active={act !== ''}>
        <Select
          label={t('audit.what')}
          value={act}
          options={anyOr(actsFor(isOwn, told), actInWords)}
          onChange={(chosen) => set({ act: chosen })}
        />
      </Popover>
      {told && (
        <Button variant="quiet" pressed={content} onClick={() => set({ content: !content })}>
          {t('audit.content')}
        </Button>
      )}
      {user !== '' && (
        <Button icon="close" onClick={() => set({ user: '' })}>
          {t('audit.only', { name })}
        </Button>
      )}
      {queryOf(filters) !== '' && (
        <Button variant="quiet" onClick={() => onShow(everything)}>
          {t('audit.showAll')}
        </Button>
      )}
    </div>
  );
}

const nameOfActor = (actor: string): string => actorInWords({ actor, operator: null });

const anyOr = (values: readonly string[], labelOf: (value: string) => string) => [
  { value: '', label: t('audit.any') },
  ...values.map((value) => ({ value, label: labelOf(value) })),
];

interface PartProps {
  readonly set: (change: Partial<Filters>) => void;
}

function Dates({ filters: { from, to }, set }: PartProps & { readonly filters: Filters }) {
  return (
    <Popover label={datesOf(from, to)} active={from !== '' || to !== ''}>
      <Field
        type="date"
        label={t('library.from')}
        value={from}
        onInput={(chosen) => set({ from: chosen })}
      />
      <Field
        type="date"
        label={t('library.to')}
        value={to}
        onInput={(chosen) => set({ to: chosen })}
      />
      <Button onClick={() => set({ from: '', to: '' })}>{t('library.anyDate')}</Button>
    </Popover>
  );
}

function datesOf(from: string, to: string): string {
  if (from && to) return from <= to ? days(apiDay(from), apiDay(to)) : t('library.dates');
  if (from) return t('library.since', { day: day(apiDay(from)) });
  return to ? t('library.until', { day: day(apiDay(to)) }) : t('library.dates');
}

/** An administrator looks at all platforms, or at one. */
function PlatformFilter({ platform, set }: PartProps & { readonly platform: string }) {
  const { data } = useRead(
    (signal) => call((client) => client.GET('/api/v1/platforms', { signal })),
    [],
  );
  const nameOf = (id: string): string => data?.find((one) => one.id === id)?.platform ?? id;
  return (
    <Popover label={platform ? nameOf(platform) : t('platforms.name')} active={platform !== ''}>
      <Select
        label={t('platforms.name')}
        value={platform}
        options={anyOr(
          (data ?? []).map(({ id }) => id),
          nameOf,
        )}
        onChange={(chosen) => set({ platform: chosen, user: '', act: '', content: false })}
      />
    </Popover>
  );
}
