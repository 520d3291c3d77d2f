import { Button } from '../../../components/Button';
import { Progress } from '../../../components/Progress';
import { size } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { wordsOf } from '../../../core/problem';
import type { Upload } from './upload';
import type { Uploads } from './uploads';

/** Failures that are listed one by one. */
const listed = 50;

/** What is being uploaded, is there already, or was left unfinished. */
export function UploadPanel({ uploads }: { readonly uploads: Uploads }) {
  void uploads.version.value;
  const { total, present, leftovers } = uploads;
  const offered = leftovers.offered.value.length;
  if (total + present.size + offered === 0) return null;
  return (
    <section class="uploads" aria-label={t('upload.title')}>
      {total > 0 && <Running uploads={uploads} />}
      {present.size > 0 && <Present uploads={uploads} />}
      {offered > 0 && <Leftover count={offered} uploads={uploads} />}
    </section>
  );
}

/** The progress of uploads, and the files that failed. */
function Running({ uploads }: { readonly uploads: Uploads }) {
  void uploads.version.value; // a component that reads one signal is drawn anew for that one only
  void uploads.progress.value;
  const { total, left, done, failed, sending, checking, sentBytes, totalBytes } = uploads;
  const summary =
    checking.length === total
      ? t('upload.checking', { count: total })
      : left > 0
        ? t('upload.progress', { done, total })
        : done > 0
          ? t('upload.finished', { count: done })
          : t('upload.failed', { count: failed.length });
  return (
    <>
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
    </>
  );
}

/** Says which files are there already, and lets the reader choose. */
function Present({ uploads }: { readonly uploads: Uploads }) {
  const { present } = uploads;
  return (
    <section class="uploads-part" aria-label={t('upload.present')}>
      <header>
        <p role="status">{t('upload.presentCount', { count: present.size })}</p>
        <Button onClick={() => uploads.skipPresent()}>{t('upload.skip')}</Button>
        <Button variant="quiet" onClick={() => uploads.sendPresent()}>
          {t('upload.anyway')}
        </Button>
      </header>
      <ul class="uploads-list muted">
        {[...present].slice(0, listed).map(([{ key, file }, where]) => (
          <li key={key}>
            {file.name} {where === 'trash' && t('upload.inTrash')}
          </li>
        ))}
        {present.size > listed && <li>{t('upload.more', { count: present.size - listed })}</li>}
      </ul>
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
    <section class="uploads-part" aria-label={t('upload.leftover')}>
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
