import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const gitSays = (key) =>
  spawnSync('git', ['config', '--get', key], { cwd: root, encoding: 'utf8' }).stdout?.trim();

const named = (name, address) => (name && address ? `${name} <${address}>` : undefined);

/** As in package.json: text, or an object. */
function author() {
  const { author: given } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return typeof given === 'object' ? named(given.name, given.email) : given;
}

/**
 * Who answers for a Debian package: the person whom Debian's own tools ask for, else the author in
 * package.json, else whoever commits here.
 * @throws Error if nobody does.
 */
export function findMaintainer() {
  const { DEBFULLNAME, DEBEMAIL } = process.env;
  const found =
    named(DEBFULLNAME, DEBEMAIL) ?? author() ?? named(gitSays('user.name'), gitSays('user.email'));
  if (/^[^<>]+ <[^<>@\s]+@[^<>@\s]+>$/.test(found ?? '')) return found;
  throw new Error(
    'A Debian package names its maintainer, and nobody is known here.\n' +
      "  Remedy: DEBFULLNAME='Your Name' DEBEMAIL=you@example.com npm run package:deb",
  );
}

/** What a function returns; an error of it ends the program with its message. */
export function orStop(work) {
  try {
    return work();
  } catch (error) {
    console.error(error.message);
    process.exit(78);
  }
}
