import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, unavailable } from '../errors/catalogue.js';
import type { Logger } from '../telemetry/logger.js';
import { Admission, type Place } from './admission.js';
import { CostlyFiles } from './costly-files.js';
import type { Decoded, Decoding } from './decoding.js';
import { FairShares } from './fair-shares.js';
import { type LineLimits, Lines } from './lines.js';
import { PendingImage } from './pending-image.js';
import type { ImageFacts, Imaging, PictureFile } from './port.js';
import type { RefusalCode, Survey } from './protocol.js';
import { writeRenditions } from './renditions.js';
import { surveysAtOnce, type Surveyor } from './surveyor.js';
import type { Excess } from './watch.js';
import { kindOf, promisedSeconds } from './weight.js';
import { secondMs } from '../units.js';

const closeGraceMs = 30 * secondMs;
/** Processes that may die of one image: the first may have been killed for another reason. */
const maxDeaths = 2;

export interface QueueOptions extends LineLimits {
  readonly threads: number;
  /** Limit for all images together. */
  readonly memoryBytes: number;
  readonly logger: Logger;
}

/**
 * Takes images through survey and decoding, fairly by user. For how turns are assigned, and what
 * happens to an image whose process ends, see docs/adr/0014.
 */
export class ImagingQueue implements Imaging {
  readonly #shares = new FairShares();
  readonly #lines: Lines;
  readonly #admission: Admission;
  readonly #costly = new CostlyFiles();
  readonly #open = new Set<PendingImage>();
  readonly #logger: Logger;
  #surveys = 0;
  #closing = false;

  constructor(
    options: QueueOptions,
    private readonly surveyor: Pick<Surveyor, 'survey' | 'close'>,
    private readonly decoding: Decoding,
  ) {
    this.#lines = new Lines(this.#shares, options);
    this.#admission = new Admission(options.threads, options.memoryBytes);
    this.#logger = options.logger;
  }

  /** Of the imaging processes, oldest first. */
  get pids(): readonly number[] {
    return this.decoding.pids;
  }

  ready(): boolean {
    return this.decoding.healthy && !this.#closing;
  }

  async process({ path, hash }: PictureFile, userId: string): Promise<ImageFacts> {
    if (this.#closing) throw unavailable('Image processing');
    const image = new PendingImage(path, userId, hash.toString('hex'));
    const known = this.#costly.codeOf(image.hash);
    if (known) throw new ServiceError(known);
    this.#lines.makeRoomFor(userId);
    this.#open.add(image);
    this.#lines.add('survey', image);
    this.#pump();
    return image.facts.finally(() => this.#open.delete(image));
  }

  async close(graceMs = closeGraceMs): Promise<void> {
    this.#closing = true;
    const grace = new AbortController();
    await Promise.race([
      Promise.allSettled([...this.#open].map(({ facts }) => facts)),
      sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    for (const image of this.#open) this.#lines.drop(image, unavailable('Image processing'));
    await Promise.all([this.decoding.close(), this.surveyor.close()]);
  }

  #pump(): void {
    while (this.#surveys < surveysAtOnce) {
      const next = this.#lines.next('survey');
      if (!next) break;
      this.#lines.remove(next);
      this.#survey(next).catch((error: unknown) => this.#fail(next, String(error)));
    }
    for (const kind of ['quick', 'heavy'] as const) {
      for (;;) {
        const next = this.#lines.next(kind);
        // None may overtake an image that waits for memory: behind a stream of small ones, it would
        // wait forever.
        if (!next?.survey || !this.#admission.admits(kind, next.survey.memoryBytes)) break;
        this.#lines.remove(next);
        this.#decode(next, next.survey).catch((error: unknown) => this.#fail(next, String(error)));
      }
    }
  }

  async #survey(image: PendingImage): Promise<void> {
    this.#surveys++;
    const outcome = await this.surveyor.survey(image.path);
    this.#surveys--;
    if (outcome.kind === 'refused') {
      this.#refuse(image, outcome.code, outcome.reason);
    } else if (outcome.kind === 'failed') {
      this.#fail(image, outcome.reason);
    } else if (!image.settled) {
      image.survey = outcome.survey;
      image.kind = this.#shares.isDistrusted(image.userId) ? 'heavy' : kindOf(outcome.survey);
      this.#lines.add(image.kind, image);
    }
    this.#pump();
  }

  async #decode(image: PendingImage, survey: Survey): Promise<void> {
    const { path, userId, kind } = image;
    const place = this.#admission.enter(kind, survey.memoryBytes);
    this.#shares.start(userId);
    let decoded: Decoded | undefined;
    try {
      decoded = await this.decoding.decode(path, survey, {
        started: () => {
          image.endWait();
          return !image.settled;
        },
        goesOn: (cpuSeconds) =>
          cpuSeconds <= promisedSeconds(survey) || this.#mayGoOn(image, place),
      });
    } catch (error) {
      if (error instanceof ServiceError) image.reject(error);
      else this.#fail(image, String(error));
    }
    this.#shares.finish(userId, decoded?.cpuSeconds ?? 0);
    if (decoded) await this.#conclude(image, survey, decoded);
    await decoded?.over;
    place.leave();
    this.#pump();
  }

  /**
   * For an image that takes longer than its structure promised: whether the others can spare its
   * slot.
   */
  #mayGoOn(image: PendingImage, place: Place): boolean {
    image.kind = 'heavy';
    this.#shares.distrust(image.userId);
    this.#lines.demote(image.userId);
    const may = place.becomesHeavy() || this.#lines.size('quick') === 0;
    this.#pump();
    return may;
  }

  async #conclude(
    image: PendingImage,
    survey: Survey,
    { outcome, excess, cpuSeconds }: Decoded,
  ): Promise<void> {
    if (image.settled) return;
    if (outcome.kind === 'done' || cpuSeconds <= promisedSeconds(survey)) {
      this.#shares.trust(image.userId);
    }
    switch (outcome.kind) {
      case 'done':
        await writeRenditions(image.path, outcome.image).then(
          (facts) => image.resolve(facts),
          (error: unknown) => this.#fail(image, String(error)),
        );
        break;
      case 'refused':
        this.#refuse(image, outcome.code, outcome.reason);
        break;
      case 'failed':
        this.#fail(image, outcome.reason);
        break;
      case 'lost':
        this.#onLost(image, outcome.reason, excess);
        break;
    }
  }

  #onLost(image: PendingImage, reason: string, excess: Excess | 'yield' | undefined): void {
    if (excess === 'standstill') return this.#fail(image, 'its process stalled');
    if (excess === 'yield') return this.#lines.add('heavy', image, true);
    if (excess === undefined && ++image.deaths < maxDeaths) {
      return this.#lines.add(image.kind, image, true);
    }
    const code = excess === undefined ? 'corrupt_image' : 'image_too_complex';
    this.#costly.remember(image.hash, code);
    this.#refuse(image, code, excess === undefined ? reason : `too much ${excess}`);
  }

  #refuse(image: PendingImage, code: RefusalCode, reason: string): void {
    this.#logger.info('image rejected', { code, reason });
    image.reject(new ServiceError(code));
  }

  #fail(image: PendingImage, reason: string): void {
    this.#logger.error('imaging failed', { path: image.path, reason });
    image.reject(unavailable('Image processing'));
  }
}
