import type { ComponentChildren } from 'preact';
import { Button } from '../../components/Button';
import { Card } from '../../components/Card';
import { ErrorNote } from '../../components/ErrorNote';
import { t } from '../../core/i18n';
import { useSaving } from '../../core/use-saving';
import { save } from './csv';

interface ExportedProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Returns the shown data, or more of it, as a file. */
  readonly csv: () => Blob | Promise<Blob>;
  readonly filename: string;
}

/** A card that can be downloaded as CSV. */
export function Exported({ title, children, csv, filename }: ExportedProps) {
  const saving = useSaving();
  const keep = (): void => saving.save(async () => save(await csv(), filename));
  const button = (
    <Button icon="download" busy={saving.busy} onClick={keep}>
      {t('statistics.csv')}
    </Button>
  );
  return (
    <Card title={title} actions={button}>
      <ErrorNote problem={saving.problem} onRetry={keep} />
      {children}
    </Card>
  );
}
