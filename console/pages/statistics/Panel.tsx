import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../../components/Button';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { useSaving } from '../../core/use-saving';
import { save } from './csv';

interface PanelProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Returns the shown data, or more of it, as a file. */
  readonly csv: () => Blob | Promise<Blob>;
  readonly filename: string;
}

/** A part of the page that can be downloaded as CSV. */
export function Panel({ title, children, csv, filename }: PanelProps) {
  const id = useId();
  const saving = useSaving();
  const keep = (): void => saving.save(async () => save(await csv(), filename));
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="page-head">
        <h2 id={id}>{title}</h2>
        <Button busy={saving.busy} onClick={keep}>
          {t('statistics.csv')}
        </Button>
      </div>
      <ErrorNote problem={saving.problem} onRetry={keep} />
      {children}
    </section>
  );
}
