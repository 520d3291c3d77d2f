import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findDumpPrograms, streamOf } from '../../src/database/postgres/dump-programs.js';
import { minimumMajor } from '../../src/database/postgres/engine.js';
import type { BenchService } from '../harness/bench-service.js';
import type { Row } from '../harness/row.js';

const lists = {
  snapshot: { title: 'Snapshot', path: '/../snapshot' },
  export: { title: 'Export as JSON lines', path: '/export?format=ndjson' },
} as const;

const images = 10_000;
/** Reads of a round, one after the other. */
const reads = 3;

/** Everything of a user as one answer, compared with the rows of its images as text in a file. */
export const wholeListRows = (): Row[] =>
  Object.entries(lists).map(([name, { title, path }]) => ({
    name: `whole/${name}`,
    title: `${title} of ${images.toLocaleString('en')} images`,
    limit: 'COPY to a file',
    unit: '/s',
    goal: { atLeast: 0.5 },
    open: async ({ small, scratch }) => {
      const service = await small();
      const user = await service.user(images);
      const file = join(scratch, 'list');
      const perSecond = async (write: () => Promise<unknown>): Promise<number> => {
        const began = performance.now();
        for (let n = 0; n < reads; n += 1) await write();
        return (reads * images * 1000) / (performance.now() - began);
      };
      // fetch would buffer chunks in a list that takes longer the longer it is.
      const receive = async (): Promise<void> => {
        const request = get(new URL(user.url + path), { headers: user.headers });
        const [answer] = (await once(request, 'response')) as [IncomingMessage];
        await pipeline(answer, createWriteStream(file));
        if (answer.statusCode !== 200) throw new Error(await readFile(file, 'utf8'));
      };
      return {
        ours: () => perSecond(receive),
        limit: () => perSecond(() => copy(service, user.id, file)),
        close: () => rm(file, { force: true }),
      };
    },
  }));

async function copy({ home, databaseUrl: url }: BenchService, userId: string, file: string) {
  const programs = await findDumpPrograms(minimumMajor, home);
  const sql = `COPY (SELECT * FROM images WHERE user_id = '${userId}') TO STDOUT`;
  await pipeline(streamOf(programs, 'psql', ['-qX', '-c', sql], { url }), createWriteStream(file));
}
