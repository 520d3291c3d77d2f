import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Unit tests, which are next to the source. */
const unit = /^dist\/(src|workers|testkit)\//;

/**
 * What node:test runs around the tests of the whole process, not of the file that says so; and scopes of
 * whole files, which it may forget to end when other files follow.
 */
const aroundAll = /^(before|beforeEach|afterEach)\(|\{ after \}/m;

/** At most so many to a process: one that hangs or crashes takes the others along. */
const together = 32;

/**
 * Has unit tests share processes: most take less time than their process takes to start. A failed test
 * names its file all the same. @param files compiled test files. @returns files to run instead.
 */
export function gathered(root, files) {
  const alone = (file) =>
    !unit.test(file) || aroundAll.test(readFileSync(join(root, file), 'utf8'));
  const units = files.filter((file) => !alone(file));
  const folder = join('dist', 'units');
  rmSync(join(root, folder), { recursive: true, force: true });
  mkdirSync(join(root, folder));
  const processes = [];
  for (let first = 0; first < units.length; first += together) {
    const path = join(folder, `units-from-${first + 1}.test.js`);
    const imports = units
      .slice(first, first + together)
      .map((file) => `import ${JSON.stringify(relative(folder, file))};\n`);
    writeFileSync(join(root, path), imports.join(''));
    processes.push(path);
  }
  return [...files.filter(alone), ...processes];
}
