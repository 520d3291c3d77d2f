import { availableParallelism } from 'node:os';
import { failure } from '../errors/operator.js';
import type { Logger } from '../telemetry/logger.js';
import { ImagingQueue } from './queue.js';

const DEFAULT_MAX_PIXELS = 100e6;
const DEFAULT_TIMEOUT_MS = 30_000;
// Longer than a hang ahead, with the kill and the restart after it, takes.
const DEFAULT_WAIT_MS = 60_000;
const DEFAULT_QUEUE_LIMIT = 256;

export interface ImagingOptions {
  /** Pictures worked on at the same time; default: the cores that this process may use. */
  readonly threads?: number;
  /** Default: 100 megapixels. */
  readonly maxPixels?: number;
  /** Milliseconds that a picture may take; soon after, the process is killed. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds that a picture may wait for its turn, then it is `unavailable`. Default: 60,000. */
  readonly waitMs?: number;
  /** Pictures that may wait; one more is refused as `unavailable`. Default: 256. */
  readonly queueLimit?: number;
  readonly logger: Logger;
}

/**
 * Starts the imaging process and waits until it takes work.
 *
 * @throws OperatorError when it does not start.
 */
export async function startImaging(options: ImagingOptions): Promise<ImagingQueue> {
  let queue!: ImagingQueue;
  const started = new Promise<void>((resolve, reject) => {
    const hopeless = (reason: string): void =>
      reject(
        failure(`The imaging process does not start (${reason}).`, {
          remedy: 'Read its messages above; "npm ci" installs the image library for this machine.',
        }),
      );
    queue = new ImagingQueue(
      {
        threads: options.threads ?? availableParallelism(),
        maxPixels: options.maxPixels ?? DEFAULT_MAX_PIXELS,
        timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        waitMs: options.waitMs ?? DEFAULT_WAIT_MS,
        queueLimit: options.queueLimit ?? DEFAULT_QUEUE_LIMIT,
        logger: options.logger,
      },
      resolve,
      hopeless,
    );
  });
  queue.start();
  try {
    await started;
  } catch (error) {
    await queue.close(0);
    throw error;
  }
  return queue;
}
