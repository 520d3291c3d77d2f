import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const gitConfig = (key) =>
  spawnSync('git', ['config', '--get', key], { cwd: root, encoding: 'utf8' }).stdout?.trim();

const formatted = (name, email) => (name && email ? `${name} <${email}>` : undefined);

/** In package.json, the author is text or an object. */
function author() {
  const { author: given } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return typeof given === 'object' ? formatted(given.name, given.email) : given;
}

/**
 * The maintainer of a Debian package: from the variables of Debian's own tools, otherwise the author in
 * package.json, otherwise git's user.
 * @throws Error if none of these is set.
 */
export function findMaintainer() {
  const { DEBFULLNAME, DEBEMAIL } = process.env;
  const found =
    formatted(DEBFULLNAME, DEBEMAIL) ??
    author() ??
    formatted(gitConfig('user.name'), gitConfig('user.email'));
  if (/^[^<>]+ <[^<>@\s]+@[^<>@\s]+>$/.test(found ?? '')) return found;
  throw new Error(
    'A Debian package needs a maintainer, and none is configured here.\n' +
      "  Remedy: DEBFULLNAME='Your Name' DEBEMAIL=you@example.com npm run package:deb",
  );
}

/** Returns the result of a function; if it throws, prints the message and exits. */
export function orStop(work) {
  try {
    return work();
  } catch (error) {
    console.error(error.message);
    process.exit(78);
  }
}
