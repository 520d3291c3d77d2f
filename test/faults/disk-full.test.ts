import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { run } from '../../src/database/run.js';
import { newHome, program } from '../support/command.js';
import type { Failure } from '../support/command.js';
import { Client } from '../support/client.js';
import { testDatabase } from '../support/database.js';
import { filePart, jpeg } from '../support/pictures.js';
import type { CreatedPlatform, CreatedUser } from '../support/records.js';
import { eventually } from './support.js';

// A mount that only the service sees: root may make one, others within a user namespace of theirs.
const unshare = ['--mount', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'])];
const able =
  spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
const skip = able ? false : 'this kernel lets nobody mount: there is no other way to a full disk';

const engine = process.env.IMGSTORE_TEST_ENGINE ?? '';

/** Settings of the tests' own environment, which are not for the service under test. */
const settings = Object.keys(process.env).filter((name) => name.startsWith('IMGSTORE_'));

/** Arguments: where a file system of its own goes, Node.js, imgstore, the home, database programs. */
const fillDisk = `
  mount -t tmpfs -o size=170m,mode=755 tmpfs "$1"
  mkdir -p "$4/database"
  [ -d "$5" ] && ln -s "$5" "$4/database/engine"
  "$2" "$3" init --home "$4" --json > /dev/null || exit 1
  dd if=/dev/zero of="$1/filler" bs=64k 2> /dev/null
  "$2" "$3" serve --home "$4" --port 0 --json
  echo ---
  rm "$1/filler"
  "$2" "$3" stats verify --home "$4" > /dev/null
  echo "code $?"`;

test('a full disk: 503, the service stays and loses nothing', { skip }, async (t) => {
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  await mkdir(home.dir);
  // Everything of the home lies on a file system of 6 MB.
  const script = 'mount -t tmpfs -o size=6m,mode=755 tmpfs "$1" && shift && exec "$@"';
  const args = ['up', '--home', home.dir, '--port', '0', '--database-url', url, '--json'];
  const child = spawn(
    'unshare',
    [...unshare, 'sh', '-c', script, 'sh', home.dir, process.execPath, program, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  t.after(() => child.kill('SIGKILL'));
  let out = '';
  child.stderr.resume();
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await eventually('it serves', async () => out.endsWith('\n}\n'));
  const { address, user } = JSON.parse(out) as {
    address: string;
    platform: CreatedPlatform;
    user: CreatedUser;
  };
  const client = new Client(address);
  const images = `/api/v1/users/${user.user_id}/images`;
  const upload = async (seed: number, width = 1500) =>
    client.post<{ id: string }>(images, {
      as: ['User', user.access_token],
      form: { image_data: filePart(await jpeg({ width, height: width, seed })) },
    });

  const stored: string[] = [];
  let refused = 0;
  for (let seed = 0; refused < 3 && seed < 60; seed += 1) {
    const { status, error, result, headers } = await upload(seed);
    if (status === 200) stored.push(result.id);
    else {
      assert.deepEqual([status, error?.code], [503, 'unavailable']);
      assert.ok(Number(headers.get('retry-after')) > 0);
      refused += 1;
    }
  }
  assert.ok(stored.length > 0 && refused === 3, `${stored.length} fitted, ${refused} did not`);
  for (const id of stored) {
    const answer = await client.get(`${images}/${id}`, { as: ['User', user.access_token] });
    assert.equal(answer.status, 200);
  }
  // Seen from outside its mount the folder is empty; its own view is in /proc.
  const inside = `/proc/${child.pid}/root${home.incoming}`;
  assert.deepEqual(await readdir(inside), [], 'what did not fit is cleared away');
  child.kill('SIGTERM');
  await once(child, 'exit');
  assert.equal(child.exitCode, 0);
});

// In a user namespace nobody could be the user that PostgreSQL runs as.
const noUser = process.getuid?.() === 0 ? skip : 'only root has a user for PostgreSQL';

describe('serve on a full disk', { skip: noUser }, () => {
  for (const part of ['dir', 'database'] as const) {
    test(`ends with 69 when it is that of home.${part}, and goes on with room`, async (t) => {
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
        ],
        { env: Object.fromEntries(settings.map((name) => [name, undefined])) },
      );
      const [full = '', room] = stdout.split('---\n');
      const { error } = JSON.parse(full) as Failure;
      assert.equal(error.exit_code, 69, output);
      assert.match(error.message, /No space left on device|ENOSPC/);
      assert.ok(error.remedy);
      assert.equal(room, 'code 0\n', output);
    });
  }
});
