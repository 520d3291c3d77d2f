import { Button } from '../../components/Button';
import { DatesFilter } from '../../components/Dates';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Popover } from '../../components/Popover';
import { Progress } from '../../components/Progress';
import { Select } from '../../components/Select';
import { call } from '../../core/api';
import { t } from '../../core/i18n';
import { narrow, query } from '../../core/router';
import { csv, save } from '../../core/save';
import { session } from '../../core/session';
import { usePages } from '../../core/use-pages';
import { useRead } from '../../core/use-read';
import { useSaving } from '../../core/use-saving';
import { readAudit } from './audit';
import type { AuditEntry } from './audit';
import { AuditTable } from './AuditTable';
import { everything, filtersOf, queryOf } from './filters';
import type { Filters } from './filters';
import { actInWords, actorInWords, actors, actsFor, detailsInWords } from './words';
import './audit.css';

const show = (filters: Filters): void => narrow(`/audit${queryOf(filters)}`);

/** Who did what: acts of administrators and platforms, and changes of users' records. */
export default function Audit() {
  const filters = filtersOf(query.value);
  const { found, isCurrent, problem, again, more } = usePages(
    (cursor, signal) => readAudit(filters, cursor, signal),
    [filters],
  );
  const saving = useSaving();
  const entries = found?.items ?? [];
  const narrowed = queryOf(filters) !== '';
  return (
    <>
      <div class="page-title">
        <div class="page-head">
          <h1>{t('audit.title')}</h1>
          <Button
            icon="download"
            busy={saving.busy}
            onClick={() => saving.save(() => saveCsv(filters))}
          >
            {t('statistics.csv')}
          </Button>
        </div>
        <p class="muted">{t('audit.about')}</p>
      </div>
      <AuditFilters filters={filters} entries={entries} />
      <ErrorNote problem={problem ?? saving.problem} onRetry={again} />
      {isCurrent && entries.length === 0 && (
        <Empty icon="audit" title={t(narrowed ? 'audit.noneFound' : 'audit.none')}>
          {narrowed && <Button onClick={() => show(everything)}>{t('audit.showAll')}</Button>}
        </Empty>
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {!isCurrent && problem === undefined && (
        <Progress label={t('audit.reading')} value={undefined} />
      )}
      {isCurrent && found && found.next !== null && (
        <Button onClick={more}>{t('audit.older')}</Button>
      )}
    </>
  );
}

/** Entries of a file: what a spreadsheet opens at once. */
const most = 10_000;
const perRequest = 1_000;

const fields = [
  ...(['at', 'act', 'actor', 'operator', 'token_id', 'platform_id', 'platform'] as const),
  ...(['user_id', 'platform_user_id'] as const),
] as const satisfies readonly (keyof AuditEntry)[];

/** Makes the browser save the newest entries that the filters leave: as the API has them, and in words. */
async function saveCsv(filters: Filters): Promise<void> {
  const { signal } = new AbortController();
  const entries: AuditEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await readAudit(filters, cursor, signal, perRequest);
    entries.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && entries.length < most);
  const rows = entries.map((entry) => [
    ...fields.map((field) => entry[field] ?? ''),
    entry.details ? JSON.stringify(entry.details) : '',
    [actInWords(entry.act), detailsInWords(entry)].filter(Boolean).join(': '),
  ]);
  save(csv([[...fields, 'details', t('audit.what')], ...rows]), 'imgstore-audit.csv');
}

interface AuditFiltersProps {
  readonly filters: Filters;
  /** In which a user is named whose id the address has. */
  readonly entries: readonly AuditEntry[];
}

/** Chips that narrow the audit; the address has them, too. */
function AuditFilters({ filters, entries }: AuditFiltersProps) {
  const isOwn = session.value?.scope === 'platform';
  const { user, act, actor, content } = filters;
  const set = (change: Partial<Filters>): void => show({ ...filters, ...change });
  const told = isOwn || filters.platform !== '' || user !== '';
  const name = entries.find(({ user_id: id }) => id === user)?.platform_user_id ?? user;
  const known = isOwn ? actors.filter((one) => one !== 'operator') : actors;
  return (
    <div class="filters" role="group" aria-label={t('audit.filters')}>
      <DatesFilter from={filters.from} to={filters.to} onChange={set} />
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
        <Button variant="quiet" onClick={() => show(everything)}>
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

interface PlatformFilterProps {
  readonly platform: string;
  readonly set: (change: Partial<Filters>) => void;
}

/** An administrator looks at all platforms, or at one. */
function PlatformFilter({ platform, set }: PlatformFilterProps) {
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
