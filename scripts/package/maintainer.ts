import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/base/installed-files.js';

/** Undefined if there is no git. */
const gitConfig = (key: string): string | undefined =>
  (
    spawnSync('git', ['config', '--get', key], { cwd: packageFile('.'), encoding: 'utf8' })
      .stdout as string | undefined
  )?.trim();

const formatted = (name?: string, email?: string): string | undefined =>
  name && email ? `${name} <${email}>` : undefined;

/** In package.json, the author is text or an object. */
function author(): string | undefined {
  const { author: given } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as {
    author?: string | { name?: string; email?: string };
  };
  return typeof given === 'object' ? formatted(given.name, given.email) : given;
}

/**
 * The maintainer of a Debian package: from the variables of Debian's own tools, otherwise the author in
 * package.json, otherwise git's user.
 * @throws Error if none of these is set.
 */
export function findMaintainer(): string {
  const { DEBFULLNAME, DEBEMAIL } = process.env;
  const found =
    formatted(DEBFULLNAME, DEBEMAIL) ??
    author() ??
    formatted(gitConfig('user.name'), gitConfig('user.email'));
  if (found && /^[^<>]+ <[^<>@\s]+@[^<>@\s]+>$/.test(found)) return found;
  throw new Error(
    'A Debian package needs a maintainer, and none is configured here.\n' +
      "  Remedy: DEBFULLNAME='Your Name' DEBEMAIL=you@example.com npm run package:deb",
  );
}

/** Returns the result of a function; if it throws, prints the message and exits. */
export function orStop<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(78);
  }
}
