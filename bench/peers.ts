/**
 * Compares imgstore with other image stores from npm, in alternating rounds. Each is installed at run
 * time into a directory outside of the repository. Takes about ten minutes, including the installation.
 *
 *     npm run bench -- --peers [--only directus,strapi] [--rounds 5] [--installed DIR] [--out DIR]
 *
 * With --installed, the installations are kept for the next run. Both use PostgreSQL, on imgstore's
 * server with its settings, and the local disk. Neither becomes a dependency; their
 * licenses (Directus BUSL-1.1, Strapi MIT outside of its enterprise folders) allow measuring them.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../testkit/nginx.js';
import { measureRows, withBench } from './harness/run-rows.js';
import type { Bench } from './harness/row.js';
import { directus } from './peers/directus.js';
import { emptyDatabase } from './peers/empty-database.js';
import type { Peer, RunningPeer } from './peers/peer.js';
import { install } from './peers/process.js';
import { strapi } from './peers/strapi.js';
import { openDirectory, report } from './private-service.js';
import { peerRows } from './rows/peers.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'directus,strapi' },
    rounds: { type: 'string', default: '5' },
    installed: { type: 'string' },
    out: { type: 'string' },
  },
});

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
    await measureRows({ rows, rounds: Number(values.rounds), out: values.out }, bench);
  } finally {
    await running.stop();
  }
}

const dir = await openDirectory('imgstore-peers-');
const wanted = values.only.split(',');
try {
  await withBench(undefined, async (bench) => {
    for (const peer of [directus, strapi]) {
      const name = peer.name.toLowerCase();
      if (!wanted.includes(name)) continue;
      await measure(peer, bench, join(values.installed ?? dir, name));
    }
  });
} finally {
  await rm(dir, { recursive: true, force: true });
}
