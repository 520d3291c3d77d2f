import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Home } from '../base/config/home.js';

/** Whose token a file holds, which is also its name. */
type TokenName = 'admin' | 'platform' | 'user';

export const tokenFile = (home: Home, name: TokenName): string => join(home.tokens, name);

/**
 * Keeps tokens in files that only their owner may read, so that commands can use them without
 * leaving them in the history of a shell.
 */
export async function writeTokenFiles(
  home: Home,
  tokens: Readonly<Partial<Record<TokenName, string>>>,
): Promise<void> {
  await mkdir(home.tokens, { recursive: true, mode: 0o700 });
  for (const [name, token] of Object.entries(tokens)) {
    const written = join(home.tokens, `.${randomUUID()}`);
    await writeFile(written, `${token}\n`, { mode: 0o600, flag: 'wx' });
    await rename(written, tokenFile(home, name as TokenName));
  }
}
