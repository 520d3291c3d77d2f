import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { failure } from '../../errors/operator.js';
import { lastLines, run } from '../../os/run.js';
import { invocation } from './programs.js';
import type { WalPrograms } from './programs.js';

/** Receives WAL into a folder: pg_receivewal, which tells the server what is safe on the disk. */
export class Receiver {
  #hasEnded = false;

  private constructor(
    private readonly child: ChildProcess,
    /** What it said, once it has ended for whatever reason. */
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
    const { file, args, env } = invocation(programs, 'pg_receivewal', [
      ...[`--slot=${slot}`, `--directory=${dir}`, '--synchronous', '--no-loop'],
    ]);
    const child = spawn(file, args, {
      cwd: '/',
      detached: true, // Ctrl-C in our terminal must not reach it
      env: { ...process.env, LC_ALL: 'C', LANGUAGE: 'C', ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(child, 'spawn');
    const said = Promise.all([text(child.stderr), once(child, 'close')]);
    return new Receiver(
      child,
      said.then(([output]) => lastLines(output, 3)),
    );
  }

  /** Ends it where it is; the server keeps what comes after. */
  async stop(): Promise<void> {
    this.child.kill('SIGINT');
    await this.ended;
  }
}

/** Makes the server keep WAL from now on, until it has been received. */
export async function createSlot(programs: WalPrograms, slot: string): Promise<void> {
  const words = [`--slot=${slot}`, '--create-slot', '--if-not-exists'];
  const { file, args, env } = invocation(programs, 'pg_receivewal', words);
  const { code, output } = await run(file, args, { env });
  if (code === 0) return;
  throw failure(`The server does not give out its WAL:\n${lastLines(output, 3)}`, {
    setting: 'database.url',
    remedy: 'Look at wal_level, max_wal_senders, and max_replication_slots of the database.',
  });
}
