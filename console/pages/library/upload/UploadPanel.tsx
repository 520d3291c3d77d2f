import { Button } from '../../../components/Button';
import { Progress } from '../../../components/Progress';
import { size } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { wordsOf } from '../../../core/problem';
import type { Upload } from './upload';
import type { Uploads } from './uploads';

/** Failures that are listed one by one. */
const listed = 50;

/** The progress of uploads, and the files that failed. */
export function UploadPanel({ uploads }: { readonly uploads: Uploads }) {
  void uploads.version.value;
  void uploads.progress.value;
  const { total, left, done, failed, sending, sentBytes, totalBytes } = uploads;
  const offered = uploads.leftovers.offered.value.length;
  if (total === 0) return offered > 0 ? <Leftover count={offered} uploads={uploads} /> : null;
  const summary =
    left > 0 ? t('upload.progress', { done, total }) : t('upload.finished', { count: done });
  return (
    <section class="uploads" aria-label={t('upload.title')}>
      <header>
        <p role="status">{summary}</p>
        {uploads.canRetry && <Button onClick={() => uploads.retry()}>{t('action.retry')}</Button>}
        <Button
          variant="quiet"
          icon="close"
          iconOnly
          onClick={() => (left > 0 ? uploads.cancel() : uploads.dismiss())}
        >
          {left > 0 ? t('action.cancel') : t('action.close')}
        </Button>
      </header>
      {offered > 0 && <Leftover count={offered} uploads={uploads} />}
      {left > 0 && <Sent label={t('upload.title')} sent={sentBytes} total={totalBytes} />}
      {sending.size > 0 && (
        <ul class="uploads-list muted">
          {[...sending].map((upload) => (
            <OnItsWay key={upload.key} upload={upload} />
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

interface LeftoverProps {
  readonly count: number;
  readonly uploads: Uploads;
}

/** Offers what a closed tab has left unfinished. */
function Leftover({ count, uploads }: LeftoverProps) {
  return (
    <section class="uploads" aria-label={t('upload.leftover')}>
      <header>
        <p>{t('upload.unfinished', { count })}</p>
        <Button onClick={() => uploads.goOn()}>{t('upload.resume', { count })}</Button>
        <Button variant="quiet" onClick={() => uploads.dropLeftovers()}>
          {t('upload.discard')}
        </Button>
      </header>
    </section>
  );
}

function OnItsWay({ upload: { file, attempts, sentBytes } }: { readonly upload: Upload }) {
  return (
    <li>
      {file.name} {attempts > 1 && <strong>{t('upload.attempt', { n: attempts })}</strong>}
      <Sent label={file.name} sent={sentBytes} total={file.size} />
    </li>
  );
}

interface SentProps {
  /** Its label. */
  readonly label: string;
  /** Bytes. */
  readonly sent: number;
  readonly total: number;
}

function Sent({ label, sent, total }: SentProps) {
  const [done, all] = [sent, total].map((bytes) => size(bytes / bytesOfMegabyte));
  return (
    <div class="uploads-sent">
      <Progress label={label} value={total > 0 ? sent / total : undefined} />
      <span class="muted">{t('upload.sent', { sent: done ?? '', total: all ?? '' })}</span>
    </div>
  );
}

const bytesOfMegabyte = 1_048_576;
