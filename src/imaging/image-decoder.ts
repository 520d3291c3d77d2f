import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KeepPiece, LaunchOptions } from './decoder-process.js';
import type { ImageFormat } from './port.js';
import type { Confinement } from './sandbox.js';
import { type PoolEvents, ProcessPool } from './process-pool.js';
import type { DecodeOutcome, Inspection, ImagingJob, Wanted } from './protocol.js';
import { type Excess, ResourceWatch } from './resource-watch.js';
import { bytesPerMegabyte, secondMs } from '../base/units.js';

/** A disk that responds, and a process, need less, even if the process has to be started. */
const probeMs = 20 * secondMs;
/** A process may use this plus the larger of twice the estimate and the limit for all images. */
const spareBytes = 128 * bytesPerMegabyte;

interface DecoderLimits {
  /** CPU time allowed for one image. */
  readonly cpuSeconds: number;
  /** Memory limit for all images together. */
  readonly memoryBytes: number;
}

export interface Decoded {
  readonly outcome: DecodeOutcome;
  /** Why the process was killed, if it was; `yield`: to free its slot for other images. */
  readonly excess: Excess | 'yield' | undefined;
  /** CPU time that the image took. */
  readonly cpuSeconds: number;
  /** Resolves when the image's memory has been freed. */
  readonly over: Promise<unknown>;
}

interface Decoding extends DecoderEvents, Pick<ImagingJob, 'wanted' | 'side' | 'isRetry'> {
  readonly keep?: KeepPiece | undefined;
}

interface DecoderEvents {
  /**
   * Called when the image is about to be processed. @returns false if the result is no longer
   * needed.
   */
  readonly started: () => boolean;
  /** Called periodically during processing. @returns false to stop decoding the image. */
  readonly shouldContinue: (cpuSeconds: number) => boolean;
}

/** A PNG of one pixel. */
const probe = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWPo6OgAAAM0AZmUse0HAAAAAElFTkSuQmCC',
  'base64',
);

const probeInspection: Inspection = {
  format: 'png',
  pool: 'common',
  width: 1,
  height: 1,
  memoryBytes: 0,
};

/** Decodes images, each in a process of its own. */
export class ImageDecoder {
  readonly #pool: ProcessPool;

  constructor(
    private readonly launch: LaunchOptions,
    private readonly limits: DecoderLimits,
    events: PoolEvents,
  ) {
    this.#pool = new ProcessPool(launch, events);
  }

  get pids(): readonly number[] {
    return this.#pool.pids;
  }

  get confinement(): Confinement {
    return this.launch.sandbox.confinement;
  }

  get healthy(): boolean {
    return this.#pool.healthy;
  }

  start(): void {
    this.#pool.start();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** @throws ServiceError `unavailable` when no process is available. */
  async decode(
    path: string,
    { pool, format, memoryBytes }: Inspection,
    { wanted, side, isRetry, keep, started, shouldContinue }: Decoding,
  ): Promise<Decoded | undefined> {
    const decoder = await this.#pool.acquire();
    if (!started()) {
      this.#pool.release(decoder);
      return undefined;
    }
    const limits = {
      cpuSeconds: this.limits.cpuSeconds,
      residentBytes: spareBytes + Math.max(2 * memoryBytes, this.limits.memoryBytes),
    };
    let yields = false;
    const watch = new ResourceWatch(decoder, limits, (cpuSeconds) => {
      yields = !shouldContinue(cpuSeconds);
      if (yields) decoder.kill();
    });
    const outcome = await decoder.run(path, { wanted, side, pool, format, isRetry }, keep);
    const cpuSeconds = watch.stop();
    this.#pool.release(decoder);
    const over = decoder.alive ? Promise.resolve() : decoder.gone;
    return { outcome, excess: yields ? 'yield' : watch.excess, cpuSeconds, over };
  }

  /** @throws ServiceError as `decode`. */
  async readMetadata(path: string, format: ImageFormat): Promise<DecodeOutcome | undefined> {
    const inspection = { ...probeInspection, format };
    return (await this.#decodeNow(path, inspection, 'metadata'))?.outcome;
  }

  /** Whether an image that is known to be sound can be decoded from this folder. */
  works(folder: string): Promise<boolean> {
    return probeIn(folder, async (path) => {
      const decoded = await this.#decodeNow(path, probeInspection, 'renditions');
      return decoded?.outcome.kind === 'done';
    });
  }

  #decodeNow(path: string, inspection: Inspection, wanted: Wanted): Promise<Decoded | undefined> {
    const events = { started: () => true, shouldContinue: () => true };
    return this.decode(path, inspection, { wanted, isRetry: false, ...events });
  }
}

/**
 * Tries something with an image that is known to be sound: if it succeeds, neither the disk nor the
 * machine is to blame for another image that stalls.
 */
export async function probeIn(
  folder: string,
  succeeds: (path: string) => Promise<boolean>,
): Promise<boolean> {
  const path = join(folder, `probe-${randomUUID()}`);
  const attempt = async (): Promise<boolean> => {
    try {
      await writeFile(path, probe, { mode: 0o600 });
      return await succeeds(path);
    } finally {
      await rm(path, { force: true });
    }
  };
  const late = new AbortController();
  const result = await Promise.race([
    attempt().catch(() => false),
    delay(probeMs, false, { signal: late.signal }).catch(() => false),
  ]);
  late.abort();
  return result;
}
