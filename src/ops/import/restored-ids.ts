import { mkdir, open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What an id of an export stands for. */
export type Kind = 'folder' | 'image' | 'trashed';

/**
 * Maps ids of an export to those of the imported records, in an append-only file, so that an
 * interrupted import resumes where it stopped.
 */
export class RestoredIds {
  private constructor(
    private readonly file: FileHandle,
    private readonly ids: Map<string, string>,
  ) {}

  static async open(path: string): Promise<RestoredIds> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const ids = new Map<string, string>();
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const [kind, before, now] = line.split(' ');
      // The last line may have been cut off by a crash.
      if (kind && before && now?.length === before.length) ids.set(`${kind} ${before}`, now);
    }
    const file = await open(path, 'a', 0o600);
    if (text !== '' && !text.endsWith('\n')) await file.appendFile('\n');
    return new RestoredIds(file, ids);
  }

  get(kind: Kind, before: string): string | undefined {
    return this.ids.get(`${kind} ${before}`);
  }

  async note(kind: Kind, before: string, now: string): Promise<void> {
    await this.file.appendFile(`${kind} ${before} ${now}\n`);
    this.ids.set(`${kind} ${before}`, now);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
