import { signal } from '@preact/signals';
import { Button } from '../../../components/Button';
import { ConfirmButton } from '../../../components/ConfirmDialog';
import { Progress } from '../../../components/Progress';
import { addActivity } from '../../../core/activity';
import { size } from '../../../core/amounts';
import { t } from '../../../core/i18n';
import { session } from '../../../core/session';
import type { Archive } from '../../../../clients/typescript/src/index.js';

const bytesOfMegabyte = 1_048_576;

/** Something that is done to more images than one request takes. */
export class Work {
  readonly done = signal(0);
  isStopped = false;

  constructor(readonly count: number) {}

  get said(): string {
    return t('work.progress', { done: this.done.value, total: this.count });
  }
}

/** What the actions of a library are doing, and the archives that they have asked for; the tray shows both. */
export class Works {
  readonly #running = signal<readonly Work[]>([]);
  readonly #archives = signal<readonly Archive[]>([]);

  constructor() {
    // Their addresses need no token.
    session.subscribe((current) => current ?? (this.#archives.value = []));
    addActivity({
      summary: () => {
        const said = [
          ...this.#running.value.map((work) => work.said),
          ...this.#archives.value.map(saidOf),
        ];
        return said.length > 0 ? said.join(' · ') : undefined;
      },
      share: () => {
        const [work] = this.#running.value;
        return work && work.done.value / work.count;
      },
      Details: () => (
        <>
          {this.#running.value.map((work, n) => (
            <Running key={n} work={work} />
          ))}
          {this.#archives.value.map((archive) => (
            <Saved key={archive.url} archive={archive} onClose={() => this.#drop(archive)} />
          ))}
        </>
      ),
    });
  }

  /**
   * Shows how far a work is, after its first request.
   * @param act is told a function that takes how many images are done with, and says whether to go on.
   */
  async of<T>(count: number, act: (onStep: (done: number) => boolean) => Promise<T>): Promise<T> {
    const work = new Work(count);
    const end = (): void => {
      this.#running.value = this.#running.value.filter((each) => each !== work);
    };
    try {
      return await act((done) => {
        work.done.value = done;
        if (!this.#running.value.includes(work))
          this.#running.value = [...this.#running.value, work];
        return !work.isStopped;
      });
    } finally {
      end();
    }
  }

  /** Makes the browser save an archive, which the server makes while it is downloaded. */
  save(archive: Archive): void {
    this.#archives.value = [...this.#archives.value, archive];
    download(archive);
  }

  #drop(archive: Archive): void {
    this.#archives.value = this.#archives.value.filter((each) => each !== archive);
  }
}

function download({ url }: Archive): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

const saidOf = ({ count, bytes }: Archive): string =>
  t('library.downloading', { count, size: size(bytes / bytesOfMegabyte) });

function Running({ work }: { readonly work: Work }) {
  return (
    <section class="uploads" aria-label={t('work.title')}>
      <header>
        <p role="status">{work.said}</p>
        <ConfirmButton
          variant="quiet"
          title={t('work.stopTitle')}
          text={t('work.stopHint')}
          label={t('work.stop')}
          act={async () => void (work.isStopped = true)}
        />
      </header>
      <Progress label={t('work.title')} value={work.done.value / work.count} />
    </section>
  );
}

interface SavedProps {
  readonly archive: Archive;
  readonly onClose: () => void;
}

/** How far that is, the browser says: it saves the file by itself. */
function Saved({ archive, onClose }: SavedProps) {
  return (
    <section class="uploads-part" aria-label={t('action.downloadZip')}>
      <header>
        <p role="status">{saidOf(archive)}</p>
        <Button icon="download" onClick={() => download(archive)}>
          {t('work.again')}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t('action.close')}
        </Button>
      </header>
    </section>
  );
}
