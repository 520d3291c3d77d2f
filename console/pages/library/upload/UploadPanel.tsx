import { Button } from '../../../components/Button';
import { Progress } from '../../../components/Progress';
import { t } from '../../../core/i18n';
import { wordsOf } from '../../../core/problem';
import type { Uploads } from './uploads';

/** Failures that are listed one by one. */
const listed = 50;

/** How far files are that are being uploaded, and which failed. */
export function UploadPanel({ uploads }: { readonly uploads: Uploads }) {
  void uploads.version.value;
  const { total, left, done, failed, sending, doneBytes, totalBytes } = uploads;
  if (total === 0) return null;
  const summary =
    left > 0 ? t('upload.progress', { done, total }) : t('upload.finished', { count: done });
  return (
    <section class="uploads" aria-label={t('upload.title')}>
      <header>
        <p role="status">{summary}</p>
        {uploads.canRetry && <Button onClick={() => uploads.retry()}>{t('action.retry')}</Button>}
        <Button
          kind="quiet"
          icon="close"
          iconOnly
          onClick={() => (left > 0 ? uploads.cancel() : uploads.dismiss())}
        >
          {left > 0 ? t('action.cancel') : t('action.close')}
        </Button>
      </header>
      {left > 0 && (
        <Progress
          label={t('upload.title')}
          value={totalBytes > 0 ? doneBytes / totalBytes : undefined}
        />
      )}
      {sending.size > 0 && (
        <ul class="uploads-list muted">
          {[...sending].map(({ key, file }) => (
            <li key={key}>{file.name}</li>
          ))}
        </ul>
      )}
      {failed.length > 0 && (
        <ul class="uploads-list" aria-label={t('upload.failed', { count: failed.length })}>
          {failed.slice(0, listed).map(({ key, file, problem }) => (
            <li key={key}>
              <strong>{file.name}</strong> <span class="field-error">{wordsOf(problem).title}</span>
            </li>
          ))}
          {failed.length > listed && <li>{t('upload.more', { count: failed.length - listed })}</li>}
        </ul>
      )}
    </section>
  );
}
