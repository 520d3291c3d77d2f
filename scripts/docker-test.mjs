// npm run test:system -- docker: builds the image step by step from docker/Dockerfile, and runs two nodes of
// it with the environment of docker/compose.yaml, without a container engine: in debootstrap trees,
// with processes, mounts, and privileges as in a container. Backs up and restores in it, and updates
// the data of an older version. PostgreSQL and S3 are those of the tests; the network is the
// machine's. Requires root and apt; takes some minutes.
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { CephStack } from '../dist/testkit/ceph/stack.js';
import { ensureInstalled } from '../dist/testkit/installed.js';
import { freePort } from '../dist/testkit/nginx.js';
import { fillAsOld, oldAnswers } from '../dist/testkit/old-home.js';
import { programs } from '../dist/testkit/programs.js';
import { baseMaker, nodeUser, run } from './docker/base.mjs';
import { ended, exec, firstPid, start } from './docker/container.mjs';
import { buildImage, makeContext } from './docker/image.mjs';
import { makeSecrets, openDatabase } from './docker/servers.mjs';
import { root } from '../dist/scripts/package/tree.js';
import { Home } from '../dist/src/base/config/home.js';
import { minuteMs, secondMs } from '../dist/src/base/units.js';

const began = performance.now();
const log = (message) =>
  console.log(
    `${String(Math.round((performance.now() - began) / secondMs)).padStart(4)} s  ${message}`,
  );

/** The environment of compose.yaml's service, as an engine would fill it in. */
function environmentOf(service) {
  const compose = readFileSync(join(root, 'docker/compose.yaml'), 'utf8');
  const { environment } = parse(compose, { merge: true }).services[service];
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    String(value).replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
  ]);
  return Object.fromEntries(filled);
}

let failed = 0;
async function check(what, holds) {
  const fine = await Promise.resolve(holds).then(Boolean, (error) => void console.error(error));
  console.log(`${fine ? 'ok     ' : 'not ok '} ${what}`);
  if (!fine) failed += 1;
  return fine;
}

/** A new named volume, which has the ownership of the image's folder. */
function makeVolume(work, name) {
  const volume = join(work, `volume-of-${name}`);
  mkdirSync(volume);
  chownSync(volume, nodeUser, nodeUser);
  return volume;
}

/**
 * A container of the image, as started by "docker compose up", or with `argv` by "docker compose
 * run". @param changes of its environment; undefined removes a variable.
 */
async function startNode(image, volume, service, changes, argv = []) {
  const port = await freePort();
  const given = { ...image.env, ...environmentOf('imgstore'), ...changes };
  const env = {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    HOME: '/home/node',
    IMGSTORE_HOST: '127.0.0.1', // the container shares the machine's network
    IMGSTORE_PORT: String(port),
  };
  const options = { cwd: image.cwd, env, uid: nodeUser };
  const place = { ...options, volume, target: image.volume };
  const container = start(image.root, place, [...image.entrypoint, ...argv]);
  const end = ended(container);
  const inside = (argv) => ended(exec(container, options, argv));
  return { service, volume, container, end, inside, baseUrl: `http://127.0.0.1:${port}` };
}

/** Stops a container as an engine would. @returns whether it ended well. */
async function stopped({ service, container, end }) {
  if (container.exitCode === null) process.kill(firstPid(container), 'SIGTERM');
  const { code, output } = await end;
  const fine = await check(`${service} stops cleanly`, code === 0);
  if (!fine) console.error(output);
}

/** Runs the health check as an engine would, until it passes. */
async function healthy({ service, container, end, inside }, image) {
  const deadline = performance.now() + minuteMs;
  for (;;) {
    const { code, output } = await inside(image.healthcheck);
    if (code === 0) return true;
    if (container.exitCode !== null) throw new Error(`${service} ended: ${(await end).output}`);
    if (performance.now() > deadline) throw new Error(`${service} is not healthy: ${output}`);
    await delay(500);
  }
}

async function upload({ inside, baseUrl }, picture) {
  const imgstore = async (...args) =>
    JSON.parse((await inside(['imgstore', ...args, '--json'])).stdout);
  const { id } = await imgstore('platform', 'create', '--name', 'first');
  const user = await imgstore('user', 'create', '--platform', id, '--platform-user-id', 'somebody');
  const form = new FormData();
  form.set('image_data', new Blob([picture]), 'sample.jpg');
  const path = `/api/v1/users/${user.user_id}/images`;
  const headers = { authorization: `User ${user.access_token}` };
  const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: form });
  return { path: `${path}/${(await answer.json()).result.id}`, headers };
}

/** Alive, but not ready: an engine that replaced the container would not help. */
async function outlivesDatabase({ inside, baseUrl }, image, db) {
  let during;
  await db.away(async () => {
    const deadline = performance.now() + minuteMs;
    while ((await fetch(`${baseUrl}/readyz`)).status !== 503) {
      if (performance.now() > deadline) throw new Error('it is ready without its database');
      await delay(100);
    }
    during = await inside(image.healthcheck);
  });
  if (during.code !== 0) throw new Error(during.output);
  return true;
}

/** Backs up one node, and restores into an empty volume, database, and bucket. */
async function restored(from, image, work, services, { path, headers }) {
  const once = async (...run) => {
    const { code, output } = await (await startNode(image, ...run)).end;
    if (code !== 0) throw new Error(output);
  };
  const own = { IMGSTORE_S3_ENDPOINT: services.endpoint };
  await once(from.volume, 'backup', own, ['backup', '/backups', '--json']);
  const changes = {
    ...own,
    IMGSTORE_S3_BUCKET: 'restored',
    IMGSTORE_DATABASE_URL_FILE: '/run/secrets/restored.url',
  };
  const volume = makeVolume(work, 'restored');
  await once(volume, 'restore', changes, ['restore', '/backups', '--json']);
  const node = await startNode(image, volume, 'the restored node', changes);
  try {
    await healthy(node, image);
    const { result } = await (await fetch(node.baseUrl + path, { headers })).json();
    return Buffer.from(await (await fetch(result.org_path_url)).arrayBuffer());
  } finally {
    await stopped(node);
  }
}

/** Starts the image on the home and the database of version 0.1, which have objects of their own. */
async function updated(image, work, services) {
  const volume = makeVolume(work, 'updated');
  await fillAsOld(new Home(volume), services.db.urlOf('old'));
  run('chown', ['-R', `${nodeUser}:${nodeUser}`, volume]);
  const foreign = Object.keys(environmentOf('imgstore')).filter((name) =>
    /^IMGSTORE_(?:S3|MASTER_KEY)_/.test(name),
  );
  const changes = {
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    IMGSTORE_DATABASE_URL_FILE: '/run/secrets/old.url',
  };
  const node = await startNode(image, volume, 'the updated node', changes);
  try {
    if (!(await check('an update over data of 0.1 becomes healthy', healthy(node, image)))) return;
    const dumps = readdirSync(new Home(volume).dumps);
    await check('its database was dumped before', dumps.join().endsWith('.dump'));
    const verified = await node.inside(['imgstore', 'stats', 'verify', '--json']);
    const user = ['imgstore', 'user', 'show', (await oldAnswers()).user, '--json'];
    const { image_count: images } = JSON.parse((await node.inside(user)).stdout);
    await check('nothing is missing', verified.code === 0 && images > 0);
  } finally {
    await stopped(node);
  }
}

async function live(image, work, services) {
  const { code, output } = await ended(
    start(image.root, { cwd: image.cwd, env: image.env, uid: nodeUser }, image.entrypoint),
  );
  await check(
    'without a database: 78, naming the setting',
    code === 78 && /database\.url/.test(output),
  );
  const changes = { IMGSTORE_S3_ENDPOINT: services.endpoint };
  const first = await startNode(image, makeVolume(work, 'first'), 'imgstore', changes);
  const nodes = [first];
  try {
    if (!(await check('the first node becomes healthy', healthy(first, image)))) return;
    const second = await startNode(image, makeVolume(work, 'second'), 'imgstore-2', changes);
    nodes.push(second);
    if (!(await check('the second joins and becomes healthy', healthy(second, image)))) return;
    const picture = readFileSync(join(root, 'assets/sample.jpg'));
    const { path, headers } = await upload(first, picture);
    const { result } = await (await fetch(second.baseUrl + path, { headers })).json();
    const kept = Buffer.from(await (await fetch(result.org_path_url)).arrayBuffer());
    await check(
      'an image stored by one node is returned bit for bit by the other',
      kept.equals(picture),
    );
    const { stdout } = await first.inside([
      'sh',
      '-c',
      'tr "\\0" " " </proc/1/cmdline; id -u; grep -h Cap /proc/1/status',
    ]);
    await check(
      'tini is the first process, and runs as a user without privileges',
      /^\/usr\/bin\/tini .*\n?1000\n(Cap\w+:\s0+\n)+$/.test(stdout),
    );
    const foreign = run('find', [first.volume, '!', '-user', String(nodeUser)]);
    await check('everything in the volume belongs to that user', foreign === '');
    await check(
      'it stays healthy while the database is away',
      outlivesDatabase(first, image, services.db),
    );
    const copy = restored(first, image, work, services, { path, headers });
    await check(
      'a backup is made and restored inside',
      copy.then((bytes) => bytes.equals(picture)),
    );
  } finally {
    for (const node of nodes) await stopped(node);
  }
}

if (process.getuid() !== 0) {
  console.error('docker:test creates a root file system for the image: run it as root.');
  process.exit(1);
}
const work = mkdtempSync(join(tmpdir(), 'imgstore-image-'));
chmodSync(work, 0o755);
const undo = [() => rmSync(work, { recursive: true, force: true })];
try {
  const debootstrap = { programs: ['debootstrap'], packages: ['debootstrap'] };
  await ensureInstalled({ purpose: 'Tests of the image', ...debootstrap }, log);
  const context = join(work, 'context');
  makeContext(root, context);
  const dockerfile = join(root, 'docker/Dockerfile');
  const image = await buildImage({ dockerfile, context, work, makeBase: baseMaker(work), log });
  const size = run('du', ['--summarize', '--human-readable', join(image.root, image.cwd)]);
  log(`built; ${image.cwd} has ${size.split('\t')[0]}`);
  await programs.ceph.install((line) => log(line));
  const ceph = await CephStack.start();
  undo.push(() => ceph.stop());
  const others = ['restored', 'old'];
  const db = await openDatabase(work, others);
  undo.push(() => db.close());
  const secrets = makeSecrets(work, { url: db.url, keys: ceph.keys });
  mkdirSync(join(image.root, 'run/secrets'));
  for (const name of readdirSync(secrets)) {
    cpSync(join(secrets, name), join(image.root, 'run/secrets', name)); // an engine binds each file
  }
  for (const name of others) {
    writeFileSync(join(image.root, `run/secrets/${name}.url`), db.urlOf(name), { mode: 0o444 });
  }
  const backups = join(image.root, 'backups'); // as a directory that containers share
  mkdirSync(backups);
  chownSync(backups, nodeUser, nodeUser);
  const services = { endpoint: ceph.endpoints[0], db };
  await live(image, work, services);
  await updated(image, work, services);
  log(failed > 0 ? `${failed} failed` : 'all passed');
  process.exitCode = failed > 0 ? 1 : 0;
} finally {
  for (const step of undo.reverse()) await step();
}
