import assert from 'node:assert/strict';
import { run } from '../src/base/os/run.js';

/** Programs that people open archives with: how each tests one, and how it prints one of its files. */
const archivers = {
  unzip: {
    check: (zip: string) => ['unzip', '-tqq', zip],
    print: (zip: string, name: string) => ['unzip', '-p', zip, name],
  },
  '7z': {
    check: (zip: string) => ['7z', 't', '-bd', zip],
    print: (zip: string, name: string) => ['7z', 'x', '-so', '-bd', zip, name],
  },
  bsdtar: {
    check: (zip: string) => ['bsdtar', '-xOf', zip],
    print: (zip: string, name: string) => ['bsdtar', '-xOf', zip, name],
  },
} as const;

export type Archiver = keyof typeof archivers;
export const archiverNames = Object.keys(archivers) as Archiver[];

async function output([command = '', ...args]: readonly string[]): Promise<string> {
  const { code, stdout, output } = await run(command, args);
  assert.equal(code, 0, `${command} ${args.join(' ')}: ${output.slice(-500)}`);
  return stdout;
}

/** Reads a whole archive, checksums included. */
export const check = async (archiver: Archiver, zip: string): Promise<void> =>
  void (await output(archivers[archiver].check(zip)));

/** The text of one file. */
export const print = (archiver: Archiver, zip: string, name: string): Promise<string> =>
  output(archivers[archiver].print(zip, name));
