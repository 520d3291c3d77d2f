import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { failure } from '../../base/errors/operator.js';
import { lastLines, run } from '../../base/os/run.js';
import { invocation } from './programs.js';
import type { WalPrograms } from './programs.js';
import { segmentBytes } from './archive.js';

/**
 * Receives WAL into a folder with pg_receivewal, which confirms to the server what is safely on
 * disk.
 */
export class Receiver {
  #hasEnded = false;

  private constructor(
    private readonly child: ChildProcess,
    /** Its output, once it has ended for any reason. */
    readonly ended: Promise<string>,
  ) {
    void ended.then(() => {
      this.#hasEnded = true;
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  static async start(programs: WalPrograms, slot: string, dir: string): Promise<Receiver> {
    await removeTornSegment(dir);
    const { file, args, env } = invocation(programs, 'pg_receivewal', [
      `--slot=${slot}`,
      `--directory=${dir}`,
      '--synchronous',
      '--no-loop',
    ]);
    const child = spawn(file, args, {
      cwd: '/',
      detached: true, // Ctrl-C in our terminal must not reach it
      env: { ...process.env, LC_ALL: 'C', LANGUAGE: 'C', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(child, 'spawn');
    const closed = Promise.all([text(child.stderr), once(child, 'close')]);
    return new Receiver(
      child,
      closed.then(([output]) => lastLines(output, 3)),
    );
  }

  /** Stops it; the server retains the WAL that follows. */
  async stop(): Promise<void> {
    this.child.kill('SIGINT');
    await this.ended;
  }
}

/**
 * Removes a segment that a full disk or a kill left incompletely allocated: pg_receivewal would
 * refuse to resume. It has no contents yet, and the server still has its WAL.
 */
async function removeTornSegment(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!name.endsWith('.partial')) continue;
    const { size } = await stat(join(dir, name));
    if (size !== 0 && size !== segmentBytes) await rm(join(dir, name));
  }
}

/** Makes the server retain WAL from now on, until it has been received. */
export async function createSlot(programs: WalPrograms, slot: string): Promise<void> {
  const words = [`--slot=${slot}`, '--create-slot', '--if-not-exists'];
  const { file, args, env } = invocation(programs, 'pg_receivewal', words);
  const { code, output } = await run(file, args, { env });
  if (code === 0) return;
  throw failure(`The server does not provide its WAL:\n${lastLines(output, 3)}`, {
    setting: 'database.url',
    remedy: 'Check wal_level, max_wal_senders, and max_replication_slots of the database.',
  });
}
