import { Button } from '../../components/Button';
import { Empty } from '../../components/Empty';
import { ErrorNote } from '../../components/ErrorNote';
import { Progress } from '../../components/Progress';
import { t } from '../../core/i18n';
import { go, query } from '../../core/router';
import { AuditFilters } from './AuditFilters';
import { AuditTable } from './AuditTable';
import { everything, filtersOf, queryOf } from './filters';
import { useAudit } from './use-audit';
import '../library/toolbar/toolbar.css';
import './audit.css';

/** Who did what: acts of administrators and platforms, and changes of users' records. */
export default function Audit() {
  const filters = filtersOf(query.value);
  const { entries, reading, problem, again, older } = useAudit(filters);
  const narrowed = queryOf(filters) !== '';
  const nothing = !reading && problem === undefined && entries.length === 0;
  return (
    <>
      <div class="page-title">
        <h1>{t('audit.title')}</h1>
        <p class="muted">{t('audit.about')}</p>
      </div>
      <AuditFilters
        filters={filters}
        entries={entries}
        onShow={(next) => go(`/audit${queryOf(next)}`, { replace: true })}
      />
      <ErrorNote problem={problem} onRetry={again} />
      {nothing && (
        <Empty icon="audit" title={t(narrowed ? 'audit.noneFound' : 'audit.none')}>
          {narrowed && (
            <Button onClick={() => go(`/audit${queryOf(everything)}`, { replace: true })}>
              {t('audit.showAll')}
            </Button>
          )}
        </Empty>
      )}
      {entries.length > 0 && <AuditTable entries={entries} />}
      {reading && <Progress label={t('audit.reading')} value={undefined} />}
      {older && <Button onClick={older}>{t('audit.older')}</Button>}
    </>
  );
}
