import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, unavailable } from '../errors/catalogue.js';
import type { Logger } from '../telemetry/logger.js';
import type { ImageFacts, Imaging } from './port.js';
import type { Lane, Outcome, ProcessSettings } from './protocol.js';
import { Supervisor } from './supervisor.js';
import { PendingImage } from './pending-image.js';

/** Time for a decoder to notice its soft limit, before the process is killed. */
const HARD_LIMIT_EXTRA_MS = 2_000;
const CLOSE_GRACE_MS = 30_000;
const RETRY_AFTER_S = 2;

export interface QueueOptions {
  readonly threads: number;
  readonly maxPixels: number;
  readonly timeoutMs: number;
  readonly waitMs: number;
  readonly queueLimit: number;
  readonly logger: Logger;
}

/** The queue before the imaging process, and what becomes of pictures when that process dies. */
export class ImagingQueue implements Imaging {
  readonly #supervisor: Supervisor;
  readonly #width: Record<Lane, number>;
  readonly #waiting: Record<Lane, PendingImage[]> = { common: [], heic: [] };
  /** Pictures whose attempt was lost, to be tried once more, one at a time and alone. */
  readonly #suspects: PendingImage[] = [];
  readonly #running = new Map<number, PendingImage>();
  readonly #open = new Set<PendingImage>();
  #closing = false;
  #lastId = 0;

  constructor(
    private readonly options: QueueOptions,
    onReady: () => void,
    onHopeless: (reason: string) => void,
  ) {
    const { threads, maxPixels, timeoutMs, logger } = options;
    const settings: ProcessSettings = {
      threads,
      maxPixels,
      softLimitSeconds: Math.max(1, Math.ceil(timeoutMs / 1000)),
    };
    this.#width = { common: threads, heic: 1 };
    this.#supervisor = new Supervisor(settings, logger, {
      ready: () => {
        onReady();
        this.#pump();
      },
      message: ({ id, outcome }) => this.#answer(id, outcome),
      lost: () => this.#lost(),
      hopeless: (reason) => {
        this.#failAll();
        onHopeless(reason);
      },
    });
  }

  start(): void {
    this.#supervisor.start();
  }

  /** Of the imaging process, while there is one. */
  get pid(): number | undefined {
    return this.#supervisor.pid;
  }

  ready(): boolean {
    return this.#supervisor.ready && !this.#closing;
  }

  async process(path: string): Promise<ImageFacts> {
    if (this.#closing || this.#supervisor.hopeless) throw unavailable('Image processing');
    const { common, heic } = this.#waiting;
    if (common.length + heic.length + this.#suspects.length >= this.options.queueLimit) {
      throw new ServiceError('unavailable', {
        message: 'Too many images are waiting to be processed; try again.',
        retryAfter: RETRY_AFTER_S,
      });
    }
    const image = new PendingImage(++this.#lastId, path);
    this.#open.add(image);
    this.#wait(image, common);
    this.#pump();
    return image.facts.finally(() => this.#open.delete(image));
  }

  async close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    this.#closing = true;
    const grace = new AbortController();
    await Promise.race([
      Promise.allSettled([...this.#open].map((image) => image.facts)),
      sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    await this.#supervisor.stop();
    this.#failAll();
  }

  #wait(image: PendingImage, queue: PendingImage[]): void {
    queue.push(image);
    image.deadline(this.options.waitMs, () => {
      queue.splice(queue.indexOf(image), 1);
      this.#fail(image, unavailable('Image processing', undefined, RETRY_AFTER_S));
    });
  }

  #pump(): void {
    if (!this.#supervisor.ready) return;
    if (this.#suspects.length > 0 || [...this.#running.values()].some((t) => t.suspect)) {
      const next = this.#running.size === 0 ? this.#suspects.shift() : undefined;
      if (next) this.#dispatch(next);
      return;
    }
    for (const lane of ['common', 'heic'] as const) {
      const busy = [...this.#running.values()].filter((t) => t.lane === lane).length;
      this.#waiting[lane].splice(0, this.#width[lane] - busy).forEach((t) => this.#dispatch(t));
    }
  }

  #dispatch(image: PendingImage): void {
    const { id, lane, path } = image;
    this.#running.set(id, image);
    image.deadline(this.options.timeoutMs + HARD_LIMIT_EXTRA_MS, () => {
      this.options.logger.warn('a picture hangs; killing the imaging process', { path });
      this.#supervisor.kill();
    });
    this.#supervisor.send({ id, lane, path });
  }

  #answer(id: number, outcome: Outcome): void {
    const image = this.#running.get(id);
    if (!image) return;
    this.#running.delete(id);
    switch (outcome.kind) {
      case 'done':
        image.resolve(outcome.facts);
        break;
      case 'heic':
        image.lane = 'heic';
        if (image.suspect) this.#suspects.unshift(image);
        else this.#wait(image, this.#waiting.heic);
        break;
      case 'lost':
        this.#secondChance(image, outcome.reason);
        break;
      case 'refused':
        this.options.logger.info('picture refused', { code: outcome.code, reason: outcome.reason });
        this.#fail(image, new ServiceError(outcome.code));
        break;
      case 'failed':
        this.options.logger.error('imaging failed', { path: image.path, reason: outcome.reason });
        this.#fail(image, unavailable('Image processing'));
        break;
    }
    this.#pump();
  }

  #lost(): void {
    const lost = [...this.#running.values()];
    this.#running.clear();
    for (const image of lost) this.#secondChance(image, 'the imaging process ended');
  }

  #secondChance(image: PendingImage, reason: string): void {
    if (image.suspect) {
      this.options.logger.warn('picture refused: lost twice', { path: image.path, reason });
      this.#fail(image, new ServiceError('corrupt_image'));
      return;
    }
    image.suspect = true;
    this.#wait(image, this.#suspects);
  }

  #fail(image: PendingImage, error: ServiceError): void {
    void image.reject(error);
  }

  #failAll(): void {
    for (const queue of [this.#waiting.common, this.#waiting.heic, this.#suspects])
      queue.length = 0;
    this.#running.clear();
    for (const image of this.#open) this.#fail(image, unavailable('Image processing'));
  }
}
