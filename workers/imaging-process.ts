/**
 * An imaging process: a child of the service that decodes one image at a time, on a separate
 * thread, so that the main thread notices when the service ends. A crash in native code ends only
 * this process.
 */
import { Piscina } from 'piscina';
import { guarded } from '../src/base/guarded.js';
import type {
  ImagingJob,
  Pool,
  DecodeOutcome,
  ProcessMessage,
  ProcessSettings,
} from '../src/imaging/protocol.js';
import { bundleFile } from '../src/base/installed-files.js';
// The main thread must load sharp too, or its libraries would be unloaded when the first thread
// ends.
import './libvips.js';
import { secondMs } from '../src/base/units.js';

/** Short, because only the thread's end releases the memory of a HEIC decoder. */
const heicIdleMs = 3 * secondMs;

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;

// The service decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// The service has ended. Not exit(), which would wait for decoders that may never return.
const die = (): void => void process.kill(process.pid, 'SIGKILL');
process.on('disconnect', guarded(die, die));

const pools: Record<Pool, Piscina<ImagingJob, DecodeOutcome>> = {
  common: new Piscina({
    filename: bundleFile('decode-task'),
    minThreads: 1,
    maxThreads: 1,
    workerData: settings,
  }),
  heic: new Piscina({
    filename: bundleFile('decode-task'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: heicIdleMs,
    workerData: settings,
  }),
};

function send(message: ProcessMessage): void {
  // If the channel closes in the meantime, nobody is waiting for the answer.
  process.send?.(message, undefined, undefined, () => undefined);
}

async function run(job: ImagingJob): Promise<void> {
  const outcome = await pools[job.pool].run(job).catch(
    // Tasks do not throw: the thread itself died, from its memory limit or a WASM trap.
    (error: unknown): DecodeOutcome => ({ kind: 'lost', reason: String(error) }),
  );
  send({ kind: 'outcome', outcome });
}

// Loads the decoders ahead of the first real image, with a file that does not exist.
await pools.common.run({ pool: 'common', path: '', format: 'jpeg', isRetry: false });
// On failure, the service starts another process and resends the job.
process.on('message', guarded(die, run));
send({ kind: 'ready' });
