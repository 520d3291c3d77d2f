// npm run test:system -- docker: builds the images of docker/Dockerfile, and runs them in Podman: the whole
// appliance with a volume and nothing else; and two nodes with the environment of docker/compose.yaml,
// PostgreSQL and S3 of the tests. Backs up and restores in both, and updates the data of an older version.
// The network is the machine's. Requires root and apt; takes some minutes. With --arm64, builds them for
// that processor, with QEMU in its place, and runs no more than the program in them: half an hour or more.
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Home } from '../src/base/config/home.js';
import { secondMs } from '../src/base/units.js';
import { CephStack } from '../testkit/ceph/stack.js';
import { eventually } from '../testkit/eventually.js';
import { ensureInstalled } from '../testkit/installed.js';
import { freePort } from '../testkit/nginx.js';
import { fillAsOld, oldAnswers } from '../testkit/old-home.js';
import { programs } from '../testkit/programs.js';
import { readOptions } from '../testkit/script.js';
import { Engine, nodeUser, type Container } from './docker/engine.js';
import { makeSecrets, openDatabase, type Database } from './docker/servers.js';
import { mustRun, requireRoot } from './package/throwaway-debian.js';
import { root } from './package/tree.js';

const began = performance.now();
const log = (message: string): void =>
  console.log(
    `${String(Math.round((performance.now() - began) / secondMs)).padStart(4)} s  ${message}`,
  );

let failed = 0;
async function check(what: string, holds: boolean | Promise<unknown>): Promise<boolean> {
  const fine = await Promise.resolve(holds).then(Boolean, (error) => void console.error(error));
  console.log(`${fine ? 'ok     ' : 'not ok '} ${what}`);
  if (!fine) failed += 1;
  return fine === true;
}

const image = 'localhost/imgstore-node';
const appliance = 'localhost/imgstore';

/** What the containers share, as in docker/compose.yaml. */
interface Setting {
  readonly engine: Engine;
  readonly work: string;
  readonly secrets: string;
  readonly backups: string;
  readonly database: Database;
  /** URL of the S3 server. */
  readonly objects: string;
}

/** The environment of compose.yaml's service, as an engine would fill it in. */
function composed(): Record<string, string> {
  const compose = parse(readFileSync(join(root, 'docker/compose.yaml'), 'utf8'), {
    merge: true,
  }) as {
    services: { imgstore: { environment: Record<string, string> } };
  };
  const filled = Object.entries(compose.services.imgstore.environment).map(([name, value]) => [
    name,
    String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  return Object.fromEntries(filled) as Record<string, string>;
}

interface Node {
  readonly container: Container;
  readonly baseUrl: string;
}

const optionsOf = (
  { secrets, backups, objects }: Setting,
  home: string,
  env: Readonly<Record<string, string>>,
) => ({
  env: { ...composed(), IMGSTORE_S3_ENDPOINT: objects, ...env },
  volumes: {
    '/var/lib/imgstore': home,
    ...Object.fromEntries(
      readdirSync(secrets).map((name) => [`/run/secrets/${name}`, join(secrets, name)]),
    ),
    '/backups': backups,
  },
});

/** A node as "docker compose up" starts it. @param home a volume or a folder. */
async function startNode(
  setting: Setting,
  name: string,
  env: Readonly<Record<string, string>> = {},
  home = name,
): Promise<Node> {
  const port = await freePort();
  const place = { IMGSTORE_HOST: '127.0.0.1', IMGSTORE_PORT: String(port) }; // the network is the machine's
  const options = optionsOf(setting, home, { ...env, ...place });
  const container = await setting.engine.start(name, image, options);
  return { container, baseUrl: `http://127.0.0.1:${port}` };
}

/** Waits until its health check passes. */
async function healthy({ container }: Node): Promise<boolean> {
  await eventually(`${container.name} is healthy`, async () => {
    if ((await container.health()) === 0) return true;
    if (!(await container.running())) throw new Error(await container.log());
    return false;
  });
  log(`${container.name} is healthy`);
  return true;
}

async function stopped({ container }: Node): Promise<void> {
  if (
    await check(
      `${container.name} stops cleanly`,
      container.stop().then((code) => code === 0),
    )
  )
    return;
  console.error(await container.log());
}

interface Uploaded {
  readonly path: string;
  readonly headers: Record<string, string>;
}

async function upload({ container, baseUrl }: Node, picture: Buffer): Promise<Uploaded> {
  const imgstore = async <R>(...args: readonly string[]): Promise<R> =>
    JSON.parse((await container.inside('imgstore', ...args, '--json')).stdout) as R;
  const { id } = await imgstore<{ id: string }>('platform', 'create', '--name', 'first');
  const named = ['--platform', id, '--platform-user-id', 'somebody'];
  const user = await imgstore<{ user_id: string; access_token: string }>(
    'user',
    'create',
    ...named,
  );
  const form = new FormData();
  form.set('image_data', new Blob([new Uint8Array(picture)]), 'sample.jpg');
  const path = `/api/v1/users/${user.user_id}/images`;
  const headers = { authorization: `User ${user.access_token}` };
  const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: form });
  const { result } = (await answer.json()) as { result: { id: string } };
  return { path: `${path}/${result.id}`, headers };
}

/** The picture's file, as a node delivers it. */
async function fileOf({ baseUrl }: Node, { path, headers }: Uploaded): Promise<Buffer> {
  const answer = await fetch(baseUrl + path, { headers });
  const { result } = (await answer.json()) as { result: { org_path_url: string } };
  return Buffer.from(await (await fetch(result.org_path_url)).arrayBuffer());
}

/** Alive, but not ready: an engine that replaced the container would not help. */
async function outlivesDatabase({ container, baseUrl }: Node, setting: Setting): Promise<boolean> {
  let health = NaN;
  await setting.database.away(async () => {
    await eventually(
      'it is not ready',
      async () => (await fetch(`${baseUrl}/readyz`)).status === 503,
    );
    health = await container.health();
  });
  return health === 0;
}

/** Backs up one node, and restores into an empty volume, database, and bucket. */
async function restored(setting: Setting, uploaded: Uploaded): Promise<Buffer> {
  const once = async (
    home: string,
    env: Record<string, string>,
    ...argv: string[]
  ): Promise<void> => {
    const { code, output } = await setting.engine.once(
      image,
      optionsOf(setting, home, env),
      ...argv,
    );
    if (code !== 0) throw new Error(output);
  };
  await once('first', {}, 'backup', '/backups', '--json');
  const changes = {
    IMGSTORE_S3_BUCKET: 'restored',
    IMGSTORE_DATABASE_URL_FILE: '/run/secrets/restored.url',
  };
  await once('restored', changes, 'restore', '/backups', '--json');
  const node = await startNode(setting, 'restored', changes);
  try {
    await healthy(node);
    return await fileOf(node, uploaded);
  } finally {
    await stopped(node);
  }
}

/** Starts the image on the home and the database of version 0.3, which have objects of their own. */
async function updated(setting: Setting): Promise<void> {
  const home = join(setting.work, 'old-home');
  mkdirSync(home);
  await fillAsOld(new Home(home), setting.database.urlOf('old'));
  await mustRun('chown', '-R', `${nodeUser}:${nodeUser}`, home);
  const foreign = Object.keys({ ...composed(), IMGSTORE_S3_ENDPOINT: '' })
    .filter((name) => /^IMGSTORE_(?:S3|MASTER_KEY)_/.test(name))
    .map((name) => [name, '']); // an empty one is none
  const changes = {
    ...(Object.fromEntries(foreign) as Record<string, string>),
    IMGSTORE_DATABASE_URL_FILE: '/run/secrets/old.url',
  };
  const node = await startNode(setting, 'updated', changes, home);
  try {
    if (!(await check('an update over data of 0.3 becomes healthy', healthy(node)))) return;
    const dumps = readdirSync(new Home(home).dumps);
    await check('its database was dumped before', dumps.join().endsWith('.dump'));
    const verified = await node.container.inside('imgstore', 'verify', 'accounts', '--json');
    const { user } = await oldAnswers();
    const shown = await node.container.inside('imgstore', 'user', 'show', user, '--json');
    const { image_count: images } = JSON.parse(shown.stdout) as { image_count: number };
    await check('nothing is missing', verified.code === 0 && images > 0);
  } finally {
    await stopped(node);
  }
}

async function live(setting: Setting): Promise<void> {
  const { code, output } = await setting.engine.once(image, {});
  const named = code === 78 && output.includes('database.url');
  await check('without a database: 78, naming the setting', named);
  const first = await startNode(setting, 'first');
  const nodes = [first];
  try {
    if (!(await check('the first node becomes healthy', healthy(first)))) return;
    const second = await startNode(setting, 'second');
    nodes.push(second);
    if (!(await check('the second joins and becomes healthy', healthy(second)))) return;
    const picture = readFileSync(join(root, 'assets/sample.jpg'));
    const uploaded = await upload(first, picture);
    const same = async (made: Promise<Buffer>): Promise<boolean> => (await made).equals(picture);
    await check(
      'an image stored by one node is returned bit for bit by the other',
      same(fileOf(second, uploaded)),
    );
    const asked = 'tr "\\0" " " </proc/1/cmdline; id -u; grep -h Cap /proc/1/status';
    const { stdout } = await first.container.inside('sh', '-c', asked);
    await check(
      'tini is the first process, and runs as a user without privileges',
      /^\/usr\/bin\/tini .*\n?1000\n(Cap\w+:\s0+\n)+$/.test(stdout),
    );
    const foreign = ['find', '/var/lib/imgstore', '!', '-user', String(nodeUser)];
    const { stdout: found } = await first.container.inside(...foreign);
    await check('everything in the volume belongs to that user', found === '');
    await check('it stays healthy while the database is away', outlivesDatabase(first, setting));
    await check('a backup is made and restored inside', same(restored(setting, uploaded)));
  } finally {
    for (const node of nodes) await stopped(node);
  }
}

/** Where the appliance's backups are. */
const backupsOf = (work: string): string => join(work, 'appliance-backups');

/** The appliance as "docker run --volume HOME:/var/lib/imgstore" starts it. */
async function startAppliance({ engine, work }: Setting, name: string, home = name): Promise<Node> {
  const port = await freePort();
  const env = { IMGSTORE_HOST: '127.0.0.1', IMGSTORE_PORT: String(port), ...passphrase };
  const volumes = { '/var/lib/imgstore': home, '/backups': backupsOf(work) };
  const container = await engine.start(name, appliance, { env, volumes });
  return { container, baseUrl: `http://127.0.0.1:${port}` };
}

const passphrase = { IMGSTORE_BACKUP_PASSPHRASE: 'of the appliance' };

async function whole(setting: Setting): Promise<void> {
  const node = await startAppliance(setting, 'appliance');
  const { container, baseUrl } = node;
  try {
    if (!(await check('the appliance becomes healthy with a volume alone', healthy(node)))) return;
    const picture = readFileSync(join(root, 'assets/sample.jpg'));
    const uploaded = await upload(node, picture);
    const same = async (from: Node): Promise<boolean> =>
      (await fileOf(from, uploaded)).equals(picture);
    await check('it returns an image bit for bit', same(node));
    const { stdout } = await container.inside(
      'sh',
      '-c',
      'cat /proc/[1-9]*/comm; stat -c %u /proc/[1-9]*',
    );
    const found = stdout.trim().split('\n');
    const users = found.filter((line) => /^\d+$/.test(line));
    await check(
      'its PostgreSQL and all else run as a user without privileges',
      found.includes('postgres') && users.every((user) => Number(user) === nodeUser),
    );
    const second = await startAppliance(setting, 'second-appliance', 'appliance');
    await check(
      'another container on its volume ends',
      second.container.ended().then((code) => code !== 0),
    );
    await check('and it serves on', (await fetch(`${baseUrl}/readyz`)).ok && same(node));
    await container.killAndStart();
    await check('killed with its PostgreSQL, it becomes healthy again', healthy(node));
    await check('with what it had acknowledged', same(node));
    const made = await container.inside('imgstore', 'backup', '/backups', '--with-secrets');
    if (!(await check('a backup is made inside', made.code === 0))) console.error(made.output);
    const restored = await setting.engine.once(
      appliance,
      {
        env: passphrase,
        volumes: { '/var/lib/imgstore': 'copy', '/backups': backupsOf(setting.work) },
      },
      'restore',
      '/backups',
    );
    if (!(await check('it is restored into another volume', restored.code === 0)))
      console.error(restored.output);
    const copy = await startAppliance(setting, 'copy');
    await check('which becomes healthy', healthy(copy));
    await check('and returns the image', same(copy));
    await stopped(copy);
  } finally {
    await stopped(node);
  }
}

/** Lets Linux run programs for ARM by QEMU of the distribution. */
async function emulateArm(): Promise<void> {
  const registered = '/proc/sys/fs/binfmt_misc';
  if (!existsSync(join(registered, 'status')))
    await mustRun('mount', '-t', 'binfmt_misc', 'binfmt_misc', registered);
  const qemu = {
    programs: ['qemu-aarch64-static', 'update-binfmts'],
    packages: ['qemu-user-static', 'binfmt-support'],
  };
  await ensureInstalled({ purpose: 'Images for ARM', ...qemu }, log);
  await mustRun('update-binfmts', '--enable', 'qemu-aarch64');
}

async function onArm(engine: Engine): Promise<void> {
  await emulateArm();
  await engine.build({ node: image, appliance }, 'arm64');
  for (const name of [image, appliance]) {
    const shown = await engine.must('image', 'inspect', '--format={{.Architecture}}', name);
    await check(`${name} is for arm64`, shown.trim() === 'arm64');
  }
  const { code, output } = await engine.once(appliance, {}, '--version');
  await check(`its program runs: ${output.trim()}`, code === 0);
}

async function native(engine: Engine): Promise<void> {
  await engine.build({ node: image, appliance });
  for (const name of [image, appliance]) {
    log(
      `built ${name}: ${await engine.must('image', 'inspect', '--format={{.Size}}', name)}`.trim(),
    );
  }
  await programs.ceph.install(log);
  const ceph = await CephStack.start();
  undo.push(() => ceph.stop());
  const others = ['restored', 'old'];
  const database = await openDatabase(work, others);
  undo.push(() => database.close());
  const secrets = await makeSecrets(work, { url: database.url, keys: ceph.keys });
  for (const name of others) {
    writeFileSync(join(secrets, `${name}.url`), database.urlOf(name), { mode: 0o444 });
  }
  const backups = join(work, 'backups'); // as a directory that containers share
  for (const folder of [backups, backupsOf(work)]) {
    mkdirSync(folder);
    chownSync(folder, nodeUser, nodeUser);
  }
  const [objects = ''] = ceph.endpoints;
  const setting = { engine, work, secrets, backups, database, objects };
  await whole(setting);
  await live(setting);
  await updated(setting);
}

const { arm64 } = readOptions('Usage: npm run test:system -- docker [--arm64]', {
  arm64: { type: 'boolean', default: false },
});
requireRoot('test:system -- docker builds an image and runs it in Podman');
const work = mkdtempSync(join(tmpdir(), 'imgstore-image-'));
chmodSync(work, 0o755);
const undo: (() => unknown)[] = [() => rmSync(work, { recursive: true, force: true })];
try {
  const wanted = {
    programs: ['podman', 'buildah', 'runc'],
    packages: ['podman', 'buildah', 'runc'],
  };
  await ensureInstalled({ purpose: 'Tests of the image', ...wanted }, log);
  const engine = new Engine(work);
  undo.push(() => engine.must('rm', '--all', '--force', '--volumes'));
  await (arm64 ? onArm(engine) : native(engine));
  log(failed > 0 ? `${failed} failed` : 'all passed');
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  for (const step of undo.reverse()) await step();
}
