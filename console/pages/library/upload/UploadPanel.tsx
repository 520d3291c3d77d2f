import { Button } from '../../../components/Button';
import { ConfirmButton } from '../../../components/ConfirmDialog';
import { Progress } from '../../../components/Progress';
import { addActivity } from '../../../core/activity';
import { size } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { wordsOf } from '../../../core/problem';
import type { Access } from '../access';
import type { FolderTree } from '../tree/tree';
import { detailWords } from './DetailsDialog';
import type { Upload } from './dropped';
import { Leftovers } from './leftovers';
import { Folders } from './store';
import { Uploads } from './uploads';

/** Failures that are listed one by one. */
const listed = 50;

const known = new Map<string, Uploads>();

/** The uploads to a user, which the tray shows. Uploads that an earlier session left are resumed. */
export function uploadsTo(access: Access, tree: FolderTree): Uploads {
  const uploads = known.get(access.userId) ?? newUploads(access.userId);
  known.set(access.userId, uploads);
  uploads.resume({ access, folders: new Folders(access, tree) });
  return uploads;
}

function newUploads(userId: string): Uploads {
  const uploads = new Uploads(new Leftovers(userId));
  addActivity({
    summary: () => summaryOf(uploads),
    share: () => uploads.share,
    Details: () => UploadPanel({ uploads }),
  });
  return uploads;
}

/** How far uploads are, in one line; undefined while there are none. */
export function summaryOf(uploads: Uploads): string | undefined {
  void uploads.version.value;
  const { total, present, leftovers } = uploads;
  const offered = leftovers.offered.value.length;
  if (total > 0) return said(uploads);
  if (present.size > 0) return t('upload.presentCount', { count: present.size });
  return offered > 0 ? t('upload.unfinished', { count: offered }) : undefined;
}

function said({ total, left, done, failed, stopped, checking }: Uploads): string {
  if (checking.length === total) return t('upload.checking', { count: total });
  if (left > 0) return t('upload.progress', { done, total });
  return [
    ...(done > 0 ? [t('upload.finished', { count: done })] : []),
    ...(stopped > 0 ? [t('upload.stopped', { count: stopped })] : []),
    ...(failed.length > 0 ? [t('upload.failed', { count: failed.length })] : []),
  ].join(' · ');
}

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
  const { left, failed, sending, canRetry, sentBytes, totalBytes } = uploads;
  const details = uploads.details.value;
  const isOpen = left > 0 || canRetry;
  return (
    <>
      <header>
        <p role="status">{said(uploads)}</p>
        {canRetry && <Button onClick={() => uploads.retry()}>{t('action.retry')}</Button>}
        {isOpen ? (
          <ConfirmButton
            variant="quiet"
            title={t('upload.stopTitle')}
            text={t('upload.stopHint')}
            label={t('upload.stop')}
            act={async () => uploads.stop()}
          />
        ) : (
          <Button variant="quiet" onClick={() => uploads.dismiss()}>
            {t('action.close')}
          </Button>
        )}
      </header>
      {left > 0 && details && (
        <p class="muted">{t('upload.with', { details: detailWords(details).join(' · ') })}</p>
      )}
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
