import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tally } from '../../../testkit/tally.js';

export interface Finding {
  readonly part: string;
  /** What came of it. */
  readonly what: string;
  /** Of what: how often by the names of what was tried. */
  readonly of: Tally;
  /** How to see the first one again. */
  reproduction: string;
}

/** What a hunt has found; the like is counted, not repeated. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  async add(part: string, where: string, what: string, sent?: Uint8Array): Promise<void> {
    const key = `${part} ${what}`;
    const before = this.#found.get(key);
    const finding = before ?? { part, what, of: new Tally(), reproduction: '' };
    finding.of.note(where);
    if (before) return;
    this.#found.set(key, finding); // at once: another lane may find the same meanwhile
    if (sent) finding.reproduction = await kept(sent);
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }

  /** A line for each, with how to see it again below. */
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

/** Keeps exactly what was sent in a file. @returns how to send it again. */
async function kept(sent: Uint8Array): Promise<string> {
  const name = createHash('sha256').update(sent).digest('hex').slice(0, 12);
  const path = join(tmpdir(), `imgstore-finding-${name}`);
  await writeFile(path, sent);
  return `sent: ${path}`;
}
