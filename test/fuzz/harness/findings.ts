import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tally } from '../../../testkit/tally.js';

export interface Finding {
  readonly part: string;
  /** What went wrong. */
  readonly what: string;
  /** Counts by the names of trials. */
  readonly of: Tally;
  /** How to reproduce the first one. */
  reproduction: string;
}

/** The findings of a run; equal ones are counted, not repeated. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  async add(part: string, where: string, what: string, sent?: Uint8Array): Promise<void> {
    const key = `${part} ${what}`;
    const before = this.#found.get(key);
    const finding = before ?? { part, what, of: new Tally(), reproduction: '' };
    finding.of.note(where);
    if (before) return;
    this.#found.set(key, finding); // before any await: another worker may find the same meanwhile
    if (sent) finding.reproduction = await kept(sent);
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }

  /** A line for each finding, followed by how to reproduce it. */
  toString(): string {
    return this.all
      .map(({ part, what, of, reproduction }) =>
        [
          `✖ ${part}: ${what}`,
          `    ${of.toString()}`,
          ...(reproduction ? [`    ${reproduction}`] : []),
        ].join('\n'),
      )
      .join('\n');
  }
}

/** Saves the sent bytes to a file. @returns how to send them again. */
async function kept(sent: Uint8Array): Promise<string> {
  const name = createHash('sha256').update(sent).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `imgstore-finding-${name}`);
  await writeFile(path, sent);
  return `sent: ${path}`;
}
