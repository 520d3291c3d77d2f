import { setMaxListeners } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { bytesPerMegabyte, minuteMs, secondMs } from '../src/base/units.js';
import { Client } from '../testkit/client.js';
import { done } from '../testkit/expect.js';
import { Installation } from '../testkit/installation.js';
import type { CreatedPlatform, CreatedUser } from '../testkit/records.js';
import { Started, type Scope } from '../testkit/scope.js';
import { numberOf, readOptions } from '../testkit/script.js';
import { megabytesOf } from './lines/files.js';
import { leftOf } from './lines/left.js';
import { Sending } from './lines/sending.js';
import { verdictOn } from './lines/verdict.js';
import { openDirectory, report } from './private-service.js';

const usage = `Usage: npm run soak -- --resumable [--clients N] [--pages N] [--kbps N]

Uploads that resume: tus-js-client sends a file of 1 to 30 MB from each client to three nodes on S3, over a line
of its own that is cut again and again, while two nodes and the gateway are killed and started again. Exit code 1
unless each file is stored once, at most 1.1 times its bytes were sent, no offset went back, no answer was 5xx
other than 503, and nothing is left in store, disk, or tables.

  --clients N  clients (default: 200)
  --pages N    how many of them are pages in Chromium (default: 20)
  --kbps N     of each line, in kilobits a second (default: 500)`;

const values = readOptions(usage, {
  clients: { type: 'string', default: '200' },
  pages: { type: 'string', default: '20' },
  kbps: { type: 'string', default: '500' },
});

const number = (option: 'clients' | 'pages' | 'kbps', least = 1): number =>
  numberOf([option, values[option]], usage, least);

const extent = { clients: number('clients'), pages: number('pages', 0), kbps: number('kbps') };

/** The longest time until a line is cut, and after which clients that still upload have failed. */
const [longestMs, endMs] = [minuteMs, 30 * minuteMs];

/** Clients of one user: below the number of uploads that may be open at a time. */
const clientsPerUser = 5;

/** How long the gateway is down, in milliseconds. */
const gatewayDownMs = 5 * secondMs;

/** What happens once this part of all bytes has been sent. */
const faultsOf = (parts: Installation) =>
  [
    [0.15, 'a node is killed', () => parts.killNode(1)],
    [0.25, 'another node is killed', () => parts.killNode(2)],
    [0.35, 'the first of them comes back', () => parts.startNode(1)],
    [0.45, 'the other one comes back', () => parts.startNode(2)],
    [0.6, 'the gateway is killed', () => parts.ceph.kill('client.rgw0')],
    [0.6, 'the gateway comes back', () => restartGateway(parts)],
  ] as const;

async function restartGateway({ ceph }: Installation): Promise<void> {
  await delay(gatewayDownMs);
  ceph.run('client.rgw0');
}

async function usersOf(parts: Installation, count: number): Promise<CreatedUser[]> {
  const create = ['platform', 'create', '--name', 'phones'];
  const { access_token: token, id } = await parts.command<CreatedPlatform>(...create);
  const client = new Client(parts.urls[0] ?? '');
  const users: CreatedUser[] = [];
  for (let n = 0; n < count; n += 1) {
    const form = { platform_user_id: `phone ${n}` };
    const path = `/api/v1/platforms/${id}/users`;
    users.push(done(await client.post<CreatedUser>(path, { as: ['Platform', token], form })));
  }
  return users;
}

function prepare(
  scope: Scope,
  parts: Installation,
  owners: readonly CreatedUser[],
  folder: string,
) {
  const { clients, pages, kbps } = extent;
  return Sending.prepare(scope, {
    nodes: () => parts.urls,
    owners,
    clients,
    pages,
    megabytes: megabytesOf,
    folder,
    bytesPerSecond: (kbps * 1_000) / 8,
    cuts: [secondMs, longestMs],
    silently: true,
    withinMs: longestMs / 2,
    retryDelays: Array.from({ length: 120 }, () => secondMs),
  });
}

/** Sends everything while parts are killed, and says how it goes. */
async function send(sending: Sending, parts: Installation): Promise<void> {
  const { watch, stored, phones } = sending;
  const began = Date.now();
  const seconds = (): number => Math.round((Date.now() - began) / secondMs);
  const say = (what: string): void =>
    report(`${seconds()} s, ${inMegabytes(sending.sent)}: ${what}`);
  const state = (): void =>
    say(`${stored.length} of ${phones.length} stored, ${watch.begun} begun`);
  const telling = setInterval(state, minuteMs / 2);
  const tooLong = AbortSignal.timeout(endMs);
  setMaxListeners(0, tooLong); // each client listens
  let working = true;
  const work = sending.all(tooLong).finally(() => {
    working = false;
    clearInterval(telling);
  });
  for (const [part, what, fault] of faultsOf(parts)) {
    while (working && sending.sent < part * sending.bytes) await Promise.race([work, delay(100)]);
    say(what);
    await fault();
  }
  await work;
  const share = (sending.sent / sending.bytes).toFixed(3);
  console.log(
    `${phones.length} clients (${extent.pages} in Chromium) sent ${inMegabytes(sending.bytes)} in ${seconds()} s over ${sending.cuts} cuts: ${share} × the bytes; ${watch.begun} uploads begun`,
  );
  console.log(`answers: ${watch.counts}`);
}

async function run(scope: Scope): Promise<string[]> {
  const parts = await Installation.start(scope, {
    shape: { monitors: 1, osds: 1, gateways: 1, copies: 1 },
    settings: { 'cors.origins': '*' },
  });
  const db = new pg.Client({ connectionString: parts.databaseUrl });
  await db.connect();
  scope.after(() => db.end());
  const owners = await usersOf(parts, Math.ceil(extent.clients / clientsPerUser));
  const folder = await openDirectory('imgstore-phones-');
  scope.after(() => rm(folder, { recursive: true }));
  const sending = await prepare(scope, parts, owners, folder);
  report(`${extent.clients} files of ${inMegabytes(sending.bytes)}`);
  await send(sending, parts);
  const findings = await verdictOn(sending, db, parts.urls[0] ?? '');
  findings.push(...(await leftOf(parts, db)));
  type Verified = { readonly ok: boolean; readonly objects: number };
  const { ok, objects } = await parts.command<Verified>('verify', 'accounts');
  if (!ok) findings.push('verify accounts found differences');
  console.log(`${objects} objects exist; verify accounts: ${ok ? 'ok' : 'differences'}`);
  for (const line of parts.log.split('\n').slice(0, 20)) if (line) console.log(line);
  return findings;
}

const inMegabytes = (bytes: number): string => `${Math.round(bytes / bytesPerMegabyte)} MB`;

const scope = new Started();
try {
  const findings = await run(scope);
  for (const finding of findings) console.log(`✖ ${finding}`);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await scope.end();
}
