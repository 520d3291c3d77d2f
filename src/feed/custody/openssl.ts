import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFileMissing } from '../../base/os/files.js';
import { lastLines, run } from '../../base/os/run.js';
import { secondMs } from '../../base/units.js';
import { readToken } from './time-stamp.js';

// Time stamps are verified by OpenSSL, which knows what else a certificate has to be for that.

const patienceMs = 10 * secondMs;

/**
 * What a service has answered to a query. @param ca the file of certificates that its own have to lead to, in PEM.
 * @returns the token. @throws Error that says why it proves nothing.
 */
export const verifyAnswer = (
  query: Uint8Array,
  answer: Uint8Array,
  ca: string,
): Promise<Uint8Array> =>
  withFiles({ query, answer }, async (at) => {
    await openssl('-verify', '-in', at('answer'), '-queryfile', at('query'), '-CAfile', ca);
    await openssl('-reply', '-in', at('answer'), '-token_out', '-out', at('token'));
    const token = await readFile(at('token'));
    if (!readToken(token)) throw new Error('the answer has no time stamp that proofs can have');
    return token;
  });

/**
 * Verifies a time stamp of these data as of when it was made: certificates end, what they have signed does not.
 * @param ca certificates that are trusted; those of the service may be among them. @throws as `verifyAnswer`.
 */
export async function verifyStamp(
  { token, data }: { readonly token: Uint8Array; readonly data: string },
  ca: string,
): Promise<void> {
  const seconds = String(Math.floor(Date.parse(readToken(token)?.at ?? '') / secondMs));
  await withFiles({ token, data }, async (at) => {
    const of = ['-token_in', '-in', at('token'), '-data', at('data')];
    await openssl('-verify', ...of, '-CAfile', ca, '-untrusted', ca, '-attime', seconds);
  });
}

/** OpenSSL reads files. @param work gets the path of one of that name. */
async function withFiles<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (at: (name: string) => string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'imgstore-stamp-'));
  const at = (name: string): string => join(folder, name);
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(at(name), content);
    return await work(at);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function openssl(...words: readonly string[]): Promise<void> {
  const { code, output } = await run('openssl', ['ts', ...words], { timeoutMs: patienceMs }).catch(
    (cause: unknown) => {
      if (isFileMissing(cause)) throw new Error('the program openssl is not installed', { cause });
      throw cause;
    },
  );
  if (code !== 0) throw new Error(reasonIn(output));
}

/** What OpenSSL says last of why: `…:ts_check_nonces:nonce mismatch:../crypto/…`. */
function reasonIn(output: string): string {
  const said = [...output.matchAll(/^[^:\n]*:error:[^:]*:[^:]*:[^:]*:([^:]+):[^:]*:\d+:(.*)$/gm)];
  const reasons = said.map(([, reason = '', more = '']) =>
    [reason, more].filter(Boolean).join(': '),
  );
  return reasons.join('; ') || lastLines(output, 2) || 'OpenSSL does not say why';
}
