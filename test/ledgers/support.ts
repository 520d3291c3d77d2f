import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { done } from '../../testkit/expect.js';
import { bytesOf } from '../../testkit/fetch.js';
import type { Ledger } from '../../testkit/records.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import type { Member } from '../../testkit/world.js';

const dir = await temporaryDirectory('ledgers');
after(() => rm(dir, { recursive: true, force: true }));
let files = 0;

export type Form = Record<string, string>;

export const askFor = async (user: Member, form: Form = {}): Promise<Ledger> =>
  done(await user.post<Ledger>('/images/ledger', form));

export const ledgerOf = async (user: Member, form: Form = {}): Promise<Buffer> =>
  bytesOf((await askFor(user, form)).url);

/** Writes a file that other programs read. @returns its path. */
export async function file(bytes: Buffer, extension: string): Promise<string> {
  const path = join(dir, `${(files += 1)}.${extension}`);
  await writeFile(path, bytes);
  return path;
}

/** @returns what a program prints. */
export async function printed(command: string, ...args: string[]): Promise<string> {
  const { code, stdout, output } = await run(command, args);
  assert.equal(code, 0, `${command}: ${output.slice(-500)}`);
  return stdout;
}

/** What other programs say of a PDF, which has no errors. */
export class Document {
  private constructor(private readonly path: string) {}

  static async of(pdf: Buffer): Promise<Document> {
    const path = await file(pdf, 'pdf');
    await printed('qpdf', '--check', path);
    return new Document(path);
  }

  async pages(): Promise<number> {
    return Number(/^Pages:\s+(\d+)/m.exec(await this.info())?.[1]);
  }

  info(): Promise<string> {
    return printed('pdfinfo', this.path);
  }

  metadata(): Promise<string> {
    return printed('pdfinfo', '-meta', this.path);
  }

  text(): Promise<string> {
    return printed('pdftotext', '-layout', this.path, '-');
  }

  /** Its pictures, in order. */
  async pictures(): Promise<DocumentPicture[]> {
    const [, , ...lines] = (await printed('pdfimages', '-list', this.path)).trim().split('\n');
    return lines.map((line) => {
      const words = line.trim().split(/\s+/);
      const [width, height, dots] = [3, 4, 12].map((at) => Number(words[at]));
      return { width, height, dots, kind: `${words[5]} ${words[8]}` } as DocumentPicture;
    });
  }
}

interface DocumentPicture {
  readonly width: number;
  readonly height: number;
  /** An inch. */
  readonly dots: number;
  /** Its colors and its encoding. */
  readonly kind: string;
}
