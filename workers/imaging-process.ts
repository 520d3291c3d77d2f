/**
 * An imaging process: a child of the service that decodes one image at a time, on a separate
 * thread, so that the main thread notices when the service ends. A crash in native code ends only
 * this process.
 */
import { EventEmitter, once } from 'node:events';
import { Piscina } from 'piscina';
import { guarded } from '../src/base/guarded.js';
import type {
  ImagingJob,
  Pool,
  DecodeOutcome,
  ProcessMessage,
  ProcessSettings,
  ServiceMessage,
  TaskOutcome,
} from '../src/imaging/protocol.js';
import { bundleFile } from '../src/base/installed-files.js';
// The main thread must load sharp too, or its libraries would be unloaded when the first thread
// ends.
import './libvips.js';
import { bytesPerMegabyte, secondMs } from '../src/base/units.js';

/** Short, because only the thread's end releases the memory of a HEIC decoder. */
const heicIdleMs = 3 * secondMs;

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;

// The service decides when this process ends. At SIGUSR1, Node.js would open its debugger.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGUSR1'] as const) {
  process.on(signal, () => undefined);
}
// The service has ended. Not exit(), which would wait for decoders that may never return.
const die = (): void => void process.kill(process.pid, 'SIGKILL');
process.on('disconnect', guarded(die, die));

const pools: Record<Pool, Piscina<ImagingJob, TaskOutcome>> = {
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

const pieceBytes = bytesPerMegabyte;
const answers = new EventEmitter();

/** Sends bytes one piece after the other, as fast as the service takes them. */
async function sendInPieces(data: Uint8Array): Promise<void> {
  for (let at = 0; at < data.length; at += pieceBytes) {
    const taken = once(answers, 'taken');
    send({ kind: 'piece', data: data.subarray(at, at + pieceBytes) });
    await taken;
  }
}

async function run(job: ImagingJob): Promise<void> {
  const outcome = await pools[job.pool].run(job).catch(
    // Tasks do not throw: the thread itself died, from its memory limit or a WASM trap.
    (error: unknown): DecodeOutcome & TaskOutcome => ({ kind: 'lost', reason: String(error) }),
  );
  if (outcome.kind !== 'encoded') return send({ kind: 'outcome', outcome });
  const { extension, data } = outcome.full;
  await sendInPieces(data);
  send({ kind: 'outcome', outcome: { kind: 'sent', extension } });
}

// Loads the decoders ahead of the first real image, with a file that does not exist.
await pools.common.run({
  wanted: 'renditions',
  pool: 'common',
  path: '',
  format: 'jpeg',
  isRetry: false,
});
// On failure, the service starts another process and resends the job.
const onMessage = guarded(die, async (message: ServiceMessage) => {
  if (message.kind === 'taken') answers.emit('taken');
  else await run(message.job);
});
process.on('message', onMessage);
send({ kind: 'ready' });
