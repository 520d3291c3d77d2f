import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cleanEnv } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { sha256 } from '../../testkit/fetch.js';
import { Visitor } from '../../testkit/links.js';
import { photo, readPhoto } from '../../testkit/photos.js';
import { noise } from '../../testkit/pictures.js';
import { Random } from '../../testkit/random.js';
import { temporaryDirectory } from '../../testkit/temporary.js';
import { Network } from './methods/network.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const network = await Network.begin({ after });
const user = await network.service.user();

const files = ['DSCN0010.jpg', 'landscape_6.jpg', 'Canon_40D.jpg', 'Arbitro.tiff', 'alpha.heic'];
const hashes = await Promise.all(files.map(async (name) => sha256(await readPhoto(name))));
/** Of 5 MB. */
const large = await noise(1300);
hashes.push(sha256(large));

const project = await temporaryDirectory('app');
after(() => rm(project, { recursive: true, force: true }));
const device = join(project, 'device');
const app = join(project, 'field-app.mjs');

/** A project with the client installed, and the example. */
async function install(): Promise<void> {
  const client = join(project, 'node_modules/@imgstore/client');
  const from = join(root, 'clients/typescript');
  await cp(join(root, 'dist/clients/typescript/src'), join(client, 'dist'), { recursive: true });
  await cp(join(from, 'package.json'), join(client, 'package.json'));
  await symlink(
    join(root, 'node_modules/openapi-fetch'),
    join(project, 'node_modules/openapi-fetch'),
  );
  await cp(join(from, 'examples/field-app.mjs'), app);
  await mkdir(device);
}

function start(...args: string[]) {
  const env = {
    IMGSTORE_URL: network.relay.url,
    IMGSTORE_USER: user.id,
    IMGSTORE_TOKEN: user.token,
  };
  return spawn(process.execPath, [app, ...args], { cwd: device, env: cleanEnv(env) });
}

async function run(...args: string[]) {
  const child = start(...args);
  const reading = [text(child.stdout), text(child.stderr)] as const;
  const [printed, said] = await Promise.all([...reading, once(child, 'close')]);
  return { code: child.exitCode, printed, said };
}

const queue = (): Promise<string[]> => readdir(join(device, 'queue'));

test('the field app has 70 lines, as shown on its page', async () => {
  const program = await readFile(join(root, 'clients/typescript/examples/field-app.mjs'), 'utf8');
  assert.ok(program.trimEnd().split('\n').length <= 70);
  const page = await readFile(join(root, 'docs/api/offline.md'), 'utf8');
  assert.ok(page.includes(`\`\`\`js\n${program}\`\`\``), 'docs/api/offline.md shows another one');
});

test('the field app uploads each photograph once despite failures', async () => {
  await install();

  await network.relay.cut();
  const file = join(project, 'large.png');
  await writeFile(file, large);
  // One of them twice, as happens in practice.
  const taken = await run('take', file, ...[...files, 'Canon_40D.jpg'].map(photo));
  assert.deepEqual(taken, { code: 0, printed: '', said: '' });
  const offline = await run('sync');
  assert.equal(offline.code, 1);
  assert.match(offline.said, /UnansweredError: No response after \d attempts/);
  assert.ok((await queue()).length >= files.length);

  await network.relay.reconnect();
  const random = new Random(7);
  const before = network.relay.sent;
  await network.breaking(
    () => random.below(400_000),
    async () => {
      const killed = start('sync');
      const gone = once(killed, 'close');
      const arrived = async () => (await network.storedBy(user)).length > 0;
      await eventually('a photograph arrives', arrived);
      killed.kill('SIGKILL');
      await gone;
      for (let runs = 1; (await run('sync')).code !== 0; runs += 1) assert.ok(runs < 20);
    },
  );

  assert.deepEqual(await queue(), []);
  assert.ok(network.relay.cuts > large.length / 400_000);
  const bytes = [large.length];
  for (const name of files) bytes.push((await readPhoto(name)).length);
  const times = (network.relay.sent - before) / bytes.reduce((sum, one) => sum + one);
  assert.ok(times <= 1.1, `sent ${times} times what it has`);
  const stored = await network.storedBy(user);
  assert.deepEqual(stored.map(({ hashdata }) => hashdata).sort(), hashes.sort());

  // Since then another device has trashed it.
  const { token } = user;
  const [image] = stored;
  assert.ok(image);
  const as = ['User', token] as const;
  await network.service.client.put(`${user.images}/${image.id}`, { as, form: { delete: 'True' } });
  assert.equal((await run('sync')).code, 0);
  const shared = await run('share');
  assert.deepEqual([shared.code, shared.said], [0, '']);
  const visitor = new Visitor(network.service.client, new URL(shared.printed.trim()).pathname);
  assert.equal(done(await visitor.images()).images.length, stored.length - 1);
  const album = JSON.parse(await readFile(join(device, 'album.json'), 'utf8')) as Album;
  const expected = stored.map(({ id }) => [id, id === image.id ? 'trashed' : 'created']);
  assert.deepEqual(album.images, Object.fromEntries(expected));
});

interface Album {
  readonly images: Record<string, string>;
}
