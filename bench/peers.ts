import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../testkit/nginx.js';
import { misused, numberOf, readOptions } from '../testkit/script.js';
import { measureRows, withBench } from './harness/run-rows.js';
import type { Bench } from './harness/row.js';
import { directus } from './peers/directus.js';
import { emptyDatabase } from './peers/empty-database.js';
import type { Peer, RunningPeer } from './peers/peer.js';
import { install } from './peers/process.js';
import { strapi } from './peers/strapi.js';
import { openDirectory, report } from './private-service.js';
import { peerRows } from './rows/peers.js';

const usage = `Usage: npm run bench -- --peers [--only directus,strapi] [--rounds 5] [--installed DIR] [--out DIR]

Compares imgstore with other image stores from npm, in alternating rounds. Each is installed at run time
into a directory outside of the repository, and uses PostgreSQL, on imgstore's server with its settings,
and the local disk. Takes about ten minutes, including the installation. Neither becomes a dependency;
their licenses (Directus BUSL-1.1, Strapi MIT outside of its enterprise folders) allow measuring them.

  --only NAME,…    these alone
  --rounds N       rounds (default: 5)
  --installed DIR  keeps the installations there for the next run
  --out DIR        as npm run bench`;

const values = readOptions(usage, {
  only: { type: 'string', default: 'directus,strapi' },
  rounds: { type: 'string', default: '5' },
  installed: { type: 'string' },
  out: { type: 'string' },
});

const rounds = numberOf(['rounds', values.rounds], usage, 1);
const wanted = values.only.split(',');
const peers = [directus, strapi].filter(({ name }) => wanted.includes(name.toLowerCase()));
if (peers.length === 0) misused(`There is no store ${values.only} to compare with.`, usage);

async function measure(peer: Peer, bench: Bench, dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  report(`Installing ${peer.packages[0] ?? peer.name}`);
  await install(dir, peer.packages);
  report(`Starting ${peer.name}`);
  const { databaseUrl } = await bench.small();
  const name = `peer_${peer.name.toLowerCase()}`;
  const database = await emptyDatabase(databaseUrl, name);
  const running: RunningPeer = await peer.start({ dir, database, port: await freePort() });
  try {
    const rows = peerRows(peer, async () => running);
    await measureRows({ rows, rounds, out: values.out }, bench);
  } finally {
    await running.stop();
  }
}

const dir = await openDirectory('imgstore-peers-');
try {
  await withBench(undefined, async (bench) => {
    for (const peer of peers) {
      await measure(peer, bench, join(values.installed ?? dir, peer.name.toLowerCase()));
    }
  });
} finally {
  await rm(dir, { recursive: true, force: true });
}
