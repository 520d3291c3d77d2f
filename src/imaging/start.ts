import type { Config } from '../base/config/options.js';
import { failure } from '../base/errors/operator.js';
import type { Logger } from '../base/telemetry/logger.js';
import { minuteMs, secondMs, bytesPerMegabyte } from '../base/units.js';
import { imagingProgram } from './decoder-process.js';
import { ImageDecoder } from './image-decoder.js';
import { Inspector } from './inspector.js';
import type { HeifDecoder } from './protocol.js';
import { ImagingQueue } from './queue.js';
import { prepareSandbox, type SandboxSetting } from './sandbox.js';

/** Clients rarely wait longer than this for a picture. */
const defaultWaitMs = minuteMs;

export interface ImagingOptions {
  /** Folder that contains all images. */
  readonly folder: string;
  /** Pictures processed at the same time. */
  readonly threads: number;
  readonly maxPixels: number;
  readonly heifDecoder: HeifDecoder;
  readonly sandbox: SandboxSetting;
  /** Milliseconds of CPU time that a picture may take. */
  readonly timeoutMs: number;
  /** Bytes that all pictures together may take while they are decoded. */
  readonly memoryBytes: number;
  /**
   * How long an image may wait for its turn before it is `unavailable`, in milliseconds. Default:
   * 60,000.
   */
  readonly waitMs?: number;
  /** Pictures that may wait; beyond that, a further one evicts another. */
  readonly queueLimit: number;
  /** Inspects images before they are decoded; default: on threads of the service. */
  readonly inspector?: Pick<Inspector, 'inspect' | 'works' | 'close'>;
  readonly logger: Logger;
}

/**
 * Starts an imaging process and waits until it is ready.
 *
 * @throws OperatorError if it does not start, or not confined as required.
 */
export async function startImaging(options: ImagingOptions): Promise<ImagingQueue> {
  const { folder, maxPixels, heifDecoder, memoryBytes, logger } = options;
  const settings = { maxPixels, heifDecoder };
  const sandbox = await prepareSandbox(imagingProgram, folder, options.sandbox, logger);
  let decoding!: ImageDecoder;
  const started = new Promise<void>((resolve, reject) => {
    decoding = new ImageDecoder(
      { settings, sandbox, logger },
      { cpuSeconds: options.timeoutMs / secondMs, memoryBytes },
      {
        ready: resolve,
        startFailed: (reason) =>
          reject(
            failure(`The imaging process failed to start (${reason}).`, {
              remedy:
                'See its messages above; "npm ci" installs the image library for this machine.',
            }),
          ),
      },
    );
  });
  const queue = new ImagingQueue(
    {
      threads: options.threads,
      memoryBytes,
      waitMs: options.waitMs ?? defaultWaitMs,
      queueLimit: options.queueLimit,
      logger,
    },
    options.inspector ?? new Inspector(settings),
    decoding,
  );
  try {
    decoding.start();
    await started;
  } catch (error) {
    await queue.close(0);
    throw error;
  }
  return queue;
}

type ImagingSettings = Pick<
  ImagingOptions,
  'threads' | 'maxPixels' | 'heifDecoder' | 'sandbox' | 'timeoutMs' | 'memoryBytes' | 'queueLimit'
>;

/** The imaging options from the settings of an installation. */
export const imagingSettings = (config: Config): ImagingSettings => ({
  threads: config['imaging.threads'],
  maxPixels: config['limits.max_megapixels'] * 1e6,
  heifDecoder: config['imaging.heif_decoder'],
  sandbox: config['imaging.sandbox'],
  timeoutMs: config['imaging.timeout'] * secondMs,
  memoryBytes: config['imaging.memory_mb'] * bytesPerMegabyte,
  queueLimit: config['imaging.queue_limit'],
});
