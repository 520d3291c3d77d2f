import { readFile, rename, writeFile } from 'node:fs/promises';

/** How a job last ended on this node. */
export interface JobRecord {
  readonly job: string;
  readonly ended_at: string;
  readonly ms: number;
  /** Why it failed, if it did. */
  readonly error: string | null;
}

/** As far as the running service has noted any. */
export async function readJobRecords(file: string): Promise<JobRecord[]> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  return JSON.parse(text) as JobRecord[];
}

/** The last run of every job of a service, in a file for `status` and `doctor`. */
export class JobRecords {
  readonly #last = new Map<string, JobRecord>();
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  /** Notes a run that has just ended. The file follows; nothing depends on it. */
  note(job: string, ms: number, error?: unknown): void {
    const reason = error instanceof Error ? error.message : undefined;
    this.#last.set(job, {
      job,
      ended_at: new Date().toISOString(),
      ms: Math.round(ms),
      error: error === undefined ? null : (reason ?? 'unknown'),
    });
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined);
  }

  /** Waits until the file is written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    const draft = `${this.file}.new`;
    await writeFile(draft, JSON.stringify([...this.#last.values()]));
    await rename(draft, this.file);
  }
}
