import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { newHome, program, type Failure } from '../../testkit/command.js';
import { mountable, unshare } from './mounted.js';
import { longOnly } from '../../testkit/long-form.js';

const engine = process.env.IMGSTORE_TEST_ENGINE ?? '';
const model = process.env.IMGSTORE_TEST_CLUSTER ?? '';

/** Settings in the tests' own environment that are not for the service under test. */
const settings = Object.keys(process.env).filter((name) => name.startsWith('IMGSTORE_'));

/**
 * Arguments: the mount point of a small file system, Node.js, imgstore, the home, database programs, a
 * home with a cluster.
 */
const fillDisk = `
  mount -t tmpfs -o size=170m,mode=755 tmpfs "$1"
  mkdir -p "$4/database"
  [ -d "$6" ] && cp -a "$6/." "$4/"
  [ -d "$5" ] && ln -s "$5" "$4/database/engine"
  "$2" "$3" init --home "$4" --json > /dev/null || exit 1
  dd if=/dev/zero of="$1/filler" bs=64k 2> /dev/null
  "$2" "$3" serve --home "$4" --port 0 --json
  echo ---
  rm "$1/filler"
  "$2" "$3" verify accounts --home "$4" > /dev/null
  echo "code $?"`;

// A user namespace has no second user for PostgreSQL to run as.
const noUser = process.getuid?.() === 0 ? mountable : 'only root has a user for PostgreSQL';

describe('serve on a full disk', { skip: noUser }, () => {
  for (const part of ['dir', 'database'] as const) {
    const options = part === 'dir' ? {} : longOnly;
    test(
      `exits with 69 when it is the disk of home.${part}, and works once there is space`,
      options,
      async (t) => {
        const home = await newHome(t);
        await mkdir(home[part], { recursive: true });
        const { stdout, output } = await run(
          'unshare',
          [
            ...unshare,
            'sh',
            '-c',
            fillDisk,
            'sh',
            home[part],
            process.execPath,
            program,
            home.dir,
            engine,
            model,
          ],
          { env: Object.fromEntries(settings.map((name) => [name, undefined])) },
        );
        const [full = '', freed] = stdout.split('---\n');
        const { error } = JSON.parse(full) as Failure;
        assert.equal(error.exit_code, 69, output);
        assert.match(error.message, /No space left on device|ENOSPC/);
        assert.ok(error.remedy);
        assert.equal(freed, 'code 0\n', output);
      },
    );
  }
});
