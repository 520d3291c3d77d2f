import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ServiceError, unavailable } from '../base/errors/catalogue.js';
import type { Logger } from '../base/telemetry/logger.js';
import {
  imagingCpuSeconds,
  imagingKills,
  imagingProcesses,
  imagingQueue,
  imagingResidentBytes,
  imagingRunning,
  imagingWaitSeconds,
} from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import {
  atFullSize,
  Admission,
  type CostClass,
  type Slot,
  costClassOf,
  expectedCpuSeconds,
} from './admission.js';
import { FairShares } from './fair-queue.js';
import type { Decoded, ImageDecoder } from './image-decoder.js';
import { parallelInspections, type Inspector } from './inspector.js';
import { fullPath, madeOf, ReceivedPicture } from './made-files.js';
import {
  type CameraData,
  type DerivedImage,
  type ImageFormat,
  type Imaging,
  maxFullBytes,
  type MetadataReader,
  type PictureFile,
  type ProcessedImage,
} from './port.js';
import type { Inspection, RefusalCode, Wanted } from './protocol.js';
import { type Excess, residentBytesOf } from './resource-watch.js';
import type { Confinement } from './sandbox.js';
import {
  type MadeImage,
  type QueueLimits,
  PendingImage,
  type Stage,
  StageQueues,
  stages,
} from './stage-queues.js';

/** How long reading metadata waits for images in progress, at most: it takes less than any of them. */
const yieldMs = 100;
const maxYields = 100;

const closeGraceMs = 30 * secondMs;
/**
 * Processes that may die of one image before it is rejected: the first may have been killed for
 * another reason.
 */
const maxDeaths = 2;
/** The same for inspections or processes that stall. */
const maxStalls = 2;

interface QueueOptions extends QueueLimits {
  readonly threads: number;
  /** Limit for all images together. */
  readonly memoryBytes: number;
  readonly logger: Logger;
}

/**
 * Takes images through inspection and decoding, fairly by user. docs/adr/0008 describes how turns
 * are assigned, and what happens to an image whose process ends.
 */
export class ImagingQueue implements Imaging, MetadataReader {
  readonly #shares = new FairShares();
  readonly #queues: StageQueues;
  readonly #admission: Admission;
  /**
   * Why files were refused that killed a process, by hash, so that resending one has no further cost. This
   * only guards against accidents: an attacker can simply change a byte.
   */
  readonly #costly = new LRUCache<string, RefusalCode>({ max: 10_000 });
  readonly #open = new Set<PendingImage>();
  readonly #logger: Logger;
  readonly #unwatch: () => void;
  #inspections = 0;
  #closing = false;

  constructor(
    options: QueueOptions,
    private readonly inspector: Pick<Inspector, 'inspect' | 'works' | 'close'>,
    private readonly decoding: ImageDecoder,
  ) {
    this.#queues = new StageQueues(this.#shares, options);
    this.#admission = new Admission(options.threads, options.memoryBytes);
    this.#logger = options.logger;
    this.#unwatch = watchImaging(this.#queues, this.#admission, () => this.pids);
  }

  /** Ids of the imaging processes, oldest first. */
  get pids(): readonly number[] {
    return this.decoding.pids;
  }

  get confinement(): Confinement {
    return this.decoding.confinement;
  }

  ready(): boolean {
    return this.decoding.healthy && !this.#closing;
  }

  async process(file: PictureFile, userId: string): Promise<ProcessedImage> {
    return (await this.#make(file, userId, 'renditions')) as ProcessedImage;
  }

  async full(file: PictureFile, userId: string, side?: number): Promise<DerivedImage> {
    return (await this.#make(file, userId, 'full', side)) as DerivedImage;
  }

  async #make(
    { path, hash }: PictureFile,
    userId: string,
    wanted: Wanted,
    side?: number,
  ): Promise<MadeImage> {
    if (this.#closing) throw unavailable('Image processing');
    // A picture that is too costly as a whole may still be uploaded.
    const hex = hash.toString('hex');
    const known = wanted === 'full' ? `${hex} full ${side ?? ''}` : hex;
    const image = new PendingImage(path, userId, wanted, known, side);
    const costly = this.#costly.get(image.hash);
    if (costly) throw new ServiceError(costly);
    this.#queues.evictFor(userId);
    this.#open.add(image);
    this.#queues.add('inspection', image);
    this.#pump();
    return image.result.finally(() => this.#open.delete(image));
  }

  async readMetadata(path: string, format: ImageFormat): Promise<CameraData> {
    for (let waits = 0; this.#open.size > 0 && waits < maxYields; waits += 1) await sleep(yieldMs);
    for (let attempt = 1; ; attempt += 1) {
      if (this.#closing) throw unavailable('Image processing');
      const outcome = await this.decoding.readMetadata(path, format);
      if (outcome?.kind === 'read') return outcome.metadata;
      const reason = outcome && 'reason' in outcome ? outcome.reason : outcome?.kind;
      if (outcome?.kind === 'failed') throw unavailable('Image processing', new Error(reason));
      if (outcome?.kind === 'lost' && attempt < maxDeaths) continue;
      if (this.#closing) throw unavailable('Image processing');
      this.#logger.info('metadata cannot be read', { path, reason });
      return {};
    }
  }

  async close(graceMs = closeGraceMs): Promise<void> {
    this.#closing = true;
    const grace = new AbortController();
    await Promise.race([
      Promise.allSettled([...this.#open].map(({ result: processed }) => processed)),
      sleep(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    for (const image of this.#open) this.#queues.drop(image, unavailable('Image processing'));
    this.#unwatch();
    await Promise.all([this.decoding.close(), this.inspector.close()]);
  }

  #pump(): void {
    while (this.#inspections < parallelInspections) {
      const next = this.#queues.next('inspection');
      // One place is kept from those whose files stall.
      const isLast = this.#inspections === parallelInspections - 1;
      if (!next || (isLast && this.#shares.isDistrusted(next.userId))) break;
      this.#queues.remove(next);
      this.#inspect(next).catch((error: unknown) => this.#fail(next, String(error)));
    }
    for (const costClass of ['quick', 'heavy'] as const) {
      for (;;) {
        const next = this.#queues.next(costClass);
        // No image may overtake one that waits for memory, or a stream of small images would block
        // it forever.
        if (!next?.inspection || !this.#admission.admits(costClass, next.inspection.memoryBytes))
          break;
        this.#queues.remove(next);
        this.#decode(next, next.inspection).catch((error: unknown) =>
          this.#fail(next, String(error)),
        );
      }
    }
  }

  async #inspect(image: PendingImage): Promise<void> {
    this.#inspections++;
    const startedAt = performance.now();
    const outcome = await this.inspector.inspect(image.path);
    this.#shares.charge(image.userId, (performance.now() - startedAt) / secondMs);
    if (outcome.kind === 'stalled') {
      this.#shares.distrust(image.userId);
      await this.#onStall(image, 'inspection', this.inspector);
    }
    this.#inspections--;
    if (outcome.kind === 'refused') {
      this.#refuse(image, outcome.code, outcome.reason);
    } else if (outcome.kind === 'failed') {
      this.#fail(image, outcome.reason);
    } else if (outcome.kind === 'inspected' && !image.settled) {
      image.inspection =
        image.wanted === 'full' ? atFullSize(outcome.inspection, image.side) : outcome.inspection;
      image.costClass = this.#shares.isDistrusted(image.userId)
        ? 'heavy'
        : costClassOf(image.inspection);
      this.#queues.add(image.costClass, image);
    }
    this.#pump();
  }

  async #decode(image: PendingImage, inspection: Inspection): Promise<void> {
    const { userId, costClass } = image;
    const slot = this.#admission.enter(costClass, inspection.memoryBytes);
    this.#shares.start(userId);
    let decoded: Decoded | undefined;
    try {
      decoded = await this.#attempt(image, inspection, slot);
    } catch (error) {
      if (error instanceof ServiceError) image.reject(error, 'failed');
      else this.#fail(image, String(error));
    }
    this.#shares.finish(userId, decoded?.cpuSeconds ?? 0);
    if (decoded) countDecoded(inspection.format, decoded);
    if (decoded) await this.#conclude(image, inspection, decoded);
    await decoded?.over;
    slot.leave();
    this.#pump();
  }

  /** Decodes an image once. The bytes of a whole picture go into a file next to it. */
  async #attempt(
    image: PendingImage,
    inspection: Inspection,
    slot: Slot,
  ): Promise<Decoded | undefined> {
    const { path, wanted, side } = image;
    const full =
      wanted === 'full'
        ? await ReceivedPicture.open(fullPath(path), maxFullBytes(inspection))
        : undefined;
    try {
      return await this.decoding.decode(path, inspection, {
        wanted,
        side,
        keep: full && ((piece) => full.add(piece)),
        isRetry: image.deaths > 0,
        started: () => {
          image.endWait();
          if (!image.settled) countWait(image.costClass, image.arrivedAt);
          return !image.settled;
        },
        shouldContinue: (cpuSeconds) =>
          cpuSeconds <= expectedCpuSeconds(inspection) || this.#mayContinue(image, slot),
      });
    } finally {
      await full?.close();
    }
  }

  /**
   * Whether an image that takes longer than its structure suggested may continue: only if others
   * can spare its slot.
   */
  #mayContinue(image: PendingImage, slot: Slot): boolean {
    image.costClass = 'heavy';
    this.#shares.distrust(image.userId);
    this.#queues.demote(image.userId);
    const may = slot.becomesHeavy() || this.#queues.size('quick') === 0;
    this.#pump();
    return may;
  }

  async #conclude(
    image: PendingImage,
    inspection: Inspection,
    { outcome, excess, cpuSeconds }: Decoded,
  ): Promise<void> {
    if (image.settled) return;
    const isDone = outcome.kind === 'done' || outcome.kind === 'sent';
    if (isDone || cpuSeconds <= expectedCpuSeconds(inspection)) {
      this.#shares.trust(image.userId);
    }
    switch (outcome.kind) {
      case 'done':
      case 'sent':
        await madeOf(image, outcome).then(
          (made) => image.resolve(made),
          (error: unknown) => this.#fail(image, String(error)),
        );
        break;
      case 'refused':
        this.#refuse(image, outcome.code, outcome.reason);
        break;
      case 'read':
        this.#fail(image, 'only its metadata was read');
        break;
      case 'failed':
        this.#fail(image, outcome.reason);
        break;
      case 'lost':
        await this.#onLost(image, outcome.reason, excess);
        break;
    }
  }

  async #onLost(
    image: PendingImage,
    reason: string,
    excess: Excess | 'yield' | undefined,
  ): Promise<void> {
    if (excess === 'standstill') return this.#onStall(image, image.costClass, this.decoding);
    if (excess === 'yield') return this.#queues.add('heavy', image, true);
    if (excess === undefined && ++image.deaths < maxDeaths) {
      return this.#queues.add(image.costClass, image, true);
    }
    const code = excess === undefined ? 'corrupt_image' : 'image_too_complex';
    this.#costly.set(image.hash, code);
    this.#refuse(image, code, excess === undefined ? reason : `too much ${excess}`);
  }

  /** Tells an image on which every attempt stalls from a disk or a process that does. */
  async #onStall(
    image: PendingImage,
    stage: Stage,
    worker: Pick<Inspector, 'works'>,
  ): Promise<void> {
    if (image.settled) return;
    if (++image.stalls < maxStalls) return this.#queues.add(stage, image, true);
    if (!(await worker.works(dirname(image.path)))) {
      return this.#fail(image, `its ${stage === 'inspection' ? stage : 'process'} stalled`);
    }
    this.#costly.set(image.hash, 'image_too_complex');
    this.#refuse(image, 'image_too_complex', 'every attempt stalls');
  }

  #refuse(image: PendingImage, code: RefusalCode, reason: string): void {
    this.#logger.info('image rejected', { ...image.logged, code, reason });
    image.reject(new ServiceError(code), 'refused');
  }

  #fail(image: PendingImage, reason: string): void {
    this.#logger.error('imaging failed', { ...image.logged, path: image.path, reason });
    image.reject(unavailable('Image processing'), 'failed');
  }
}

const residentBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + (residentBytesOf(pid) ?? 0), 0);

/** Adds a queue to the metrics. @returns a function that removes it. */
function watchImaging(
  queues: StageQueues,
  admission: Admission,
  pids: () => readonly number[],
): () => void {
  const unwatch = [
    ...stages.map((stage) => imagingQueue.of(stage).watch(() => queues.size(stage))),
    imagingRunning.of().watch(() => admission.running),
    imagingProcesses.of().watch(() => pids().length),
    imagingResidentBytes.of().watch(() => residentBytes(pids())),
  ];
  return () => {
    for (const end of unwatch) end();
  };
}

/** @param arrivedAt as of `performance.now()`. */
const countWait = (costClass: CostClass, arrivedAt: number): void =>
  imagingWaitSeconds.of(costClass).observe((performance.now() - arrivedAt) / secondMs);

/** Counts an attempt to decode an image, whatever its outcome. */
function countDecoded(format: ImageFormat, { outcome, excess, cpuSeconds }: Decoded): void {
  imagingCpuSeconds.of(format).observe(cpuSeconds);
  if (outcome.kind === 'lost') imagingKills.of(excess ?? 'crash').add();
}
