/**
 * An imaging process: a child of the service that decodes one picture at a time, on a thread, so that
 * it hears of the end of the service meanwhile. A crash of native code ends this process and nothing else.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { guarded } from '../src/guard.js';
import type {
  Job,
  Lane,
  Outcome,
  ProcessMessage,
  ProcessSettings,
} from '../src/imaging/protocol.js';
// The main thread must hold sharp too, or its libraries would be unloaded with the first thread that ends.
import './libvips.js';
import type { Picture } from './task.js';
import { secondMs } from '../src/units.js';

/** Short, because only the end of the thread gives the memory of the WASM decoder back. */
const heicIdleMs = 3 * secondMs;

const settings = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

// Ctrl-C in a terminal reaches the whole process group; the service decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
// The service is gone. Not exit(), which would wait for decoders that may never come back.
const die = (): void => void process.kill(process.pid, 'SIGKILL');
process.on('disconnect', guarded(die, die));

try {
  // When memory runs out, the kernel takes this process rather than the service or the database.
  writeFileSync('/proc/self/oom_score_adj', '500');
} catch {
  // Not Linux, or /proc is not there: the kernel chooses without this hint.
}

const pools: Record<Lane, Piscina<Picture, Outcome>> = {
  common: new Piscina({
    filename: file('common-task.js'),
    minThreads: 1,
    maxThreads: 1,
    workerData: settings,
  }),
  heic: new Piscina({
    filename: file('heic-task.js'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: heicIdleMs,
    workerData: settings,
  }),
};

function tell(message: ProcessMessage): void {
  // A channel that closes under an answer means that nobody waits for it any more.
  process.send?.(message, undefined, undefined, () => undefined);
}

async function run(job: Job): Promise<void> {
  const outcome = await pools[job.lane].run({ path: job.path, format: job.format }).catch(
    // Tasks do not throw: the thread itself has died, of its memory limit or of a WASM trap.
    (error: unknown): Outcome => ({ kind: 'lost', reason: String(error) }),
  );
  tell({ kind: 'outcome', outcome });
}

// The first picture is not to pay for loading the decoders; this one does not exist.
await pools.common.run({ path: '', format: 'jpeg' });
// The service starts another process, and gives it the work again.
process.on('message', guarded(die, run));
tell({ kind: 'ready' });
