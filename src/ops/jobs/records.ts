import { readFile } from 'node:fs/promises';
import { replaceFile } from '../../base/os/files.js';

/** Every scheduled job; settings can disable some of them. */
export const jobNames = [
  'reclaim objects',
  'roll up statistics',
  'sum up maps of platforms',
  'expire trash',
  'expire changes',
  'forget expired refresh tokens',
  'forget ended narrow tokens',
  'forget old idempotency keys',
  'forget upload sets left open',
  'forget ended links',
  'expire uploads',
  'verify stored bytes',
  'read metadata',
  'forget old acts of administrators',
  'delete platforms',
  'finish large changes',
  'make backup',
] as const;

export type JobName = (typeof jobNames)[number];

/** The name of a job as it is typed. */
export const wordOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

/** How a job ended on this node. */
export interface JobRecord {
  readonly job: string;
  readonly ended_at: string;
  readonly ms: number;
  /** Why it failed, if it did. */
  readonly error: string | null;
}

/** Records of the running service; empty if there are none. */
export async function readJobRecords(file: string): Promise<JobRecord[]> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  return JSON.parse(text) as JobRecord[];
}

/** Recorded runs of each job. */
const runsPerJob = 20;

/** Files for commands of the terminal. */
interface Files {
  /** The last run of every job of the running service. */
  readonly jobRecords: string;
  /** The latest runs of each job, also by earlier services. */
  readonly jobHistory: string;
}

/** The runs of the jobs of a service. */
export class JobRecords {
  readonly #last = new Map<string, JobRecord>();
  readonly #runs: Promise<Map<string, JobRecord[]>>;
  #writing: Promise<void> = Promise.resolve();

  constructor(private readonly files: Files) {
    this.#runs = readRuns(files.jobHistory);
  }

  /** Records a run that has just ended. The files are written later; nothing depends on them. */
  record(job: string, ms: number, error?: unknown): void {
    const reason = error instanceof Error ? error.message : undefined;
    const record = {
      job,
      ended_at: new Date().toISOString(),
      ms: Math.round(ms),
      error: error === undefined ? null : (reason ?? 'unknown'),
    };
    this.#last.set(job, record);
    this.#writing = this.#writing.then(() => this.#write(record)).catch(() => undefined);
  }

  /** Waits until the files are written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(record: JobRecord): Promise<void> {
    const { jobRecords, jobHistory } = this.files;
    await replaceFile(jobRecords, JSON.stringify([...this.#last.values()]));
    const runs = await this.#runs;
    runs.set(record.job, [...(runs.get(record.job) ?? []), record].slice(-runsPerJob));
    await replaceFile(jobHistory, JSON.stringify([...runs.values()].flat()));
  }
}

/** A missing or damaged file counts as empty. */
async function readRuns(file: string): Promise<Map<string, JobRecord[]>> {
  const runs = new Map<string, JobRecord[]>();
  try {
    for (const record of JSON.parse(await readFile(file, 'utf8')) as JobRecord[]) {
      runs.set(record.job, [...(runs.get(record.job) ?? []), record]);
    }
  } catch {
    runs.clear();
  }
  return runs;
}
