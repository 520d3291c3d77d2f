import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { imgstore } from '../../testkit/command.js';
import { BenchService, type BenchUser } from '../harness/bench-service.js';
import { LoadGenerator } from '../harness/load.js';
import { picture, upload } from '../harness/pictures.js';
import type { Bench, Row } from '../harness/row.js';
import { slowestOfHundred } from '../harness/wrk.js';

/** Images of the user whose list is read, all of them with files, which a backup copies. */
const images = 120;
/** Of one reader of the list. */
const load = { connections: 1, seconds: 5 };

interface Place {
  readonly service: BenchService;
  readonly user: BenchUser;
  readonly scratch: string;
}

/** Something that goes on until it is stopped. */
type Beside = (place: Place) => () => Promise<unknown>;

/** The list of a user, the slowest of a hundred pages, alone and beside other work. */
export const besideRows = (): Row[] => {
  const row = (name: string, what: string, atMost: number, beside: Beside): Row => ({
    name: `beside/${name}`,
    title: `First page, p99, beside ${what}`,
    limit: 'the same alone',
    unit: 'ms',
    goal: { atMost },
    open: async (bench) => {
      const place = await openPlace(bench);
      const { url, headers } = place.user;
      const list = () => slowestOfHundred({ url, headers }, load);
      const ours = async (): Promise<number> => {
        const stop = beside(place);
        await delay(1_000);
        return list().finally(stop);
      };
      return { ours, limit: list, close: () => place.service.stop() };
    },
  });
  return [
    row('uploads', '8 uploads at a time', 2, uploading),
    row('backup', 'a backup', 1.5, backingUp),
    row('readers', '40 slow readers of originals', 1.5, readingSlowly),
  ];
};

/** A service of its own: those of other rows have images without files. */
async function openPlace({ scratch }: Bench): Promise<Place> {
  const service = await BenchService.open(join(scratch, 'beside'));
  const user = await service.user(0);
  const { total_count: count } = await listOf(user);
  for (let n = count; n < images; n += 1) await upload(user, scratch);
  return { service, user, scratch };
}

interface List {
  readonly total_count: number;
  readonly items: readonly { readonly org_path_url: string }[];
}

async function listOf({ url, headers }: BenchUser): Promise<List> {
  const answer = await fetch(url, { headers });
  return ((await answer.json()) as { readonly result: List }).result;
}

const uploading: Beside = ({ user, scratch }) => {
  const generator = new LoadGenerator();
  const over = (async () => {
    const { url, headers } = user;
    const call = { method: 'POST' as const, url, headers, file: await picture(scratch) };
    const clients = Array.from({ length: 8 }, () => [call]);
    await generator.run({ clients, until: { seconds: load.seconds + 1 }, status: 200 });
  })();
  return () => over.finally(() => generator.close());
};

/** One backup after the other, of all files. */
const backingUp: Beside = ({ service: { home }, scratch }) => {
  let stopped = false;
  const over = (async () => {
    for (let n = 0; !stopped; n += 1) {
      const dir = join(scratch, `backup-${n}`);
      const { code, stderr } = await imgstore(['backup', dir, '--copy', '--home', home.dir]);
      if (code !== 0) throw new Error(stderr);
      await rm(dir, { recursive: true });
    }
  })();
  return () => {
    stopped = true;
    return over;
  };
};

const readers = 40;
/** Bytes that each reads, ten times a second. */
const bite = 4 * 1024;

const readingSlowly: Beside = ({ user }) => {
  const stop = new AbortController();
  const read = async (url: URL): Promise<void> => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    while (!stop.signal.aborted && !socket.destroyed) {
      socket.read(bite);
      await delay(100);
    }
    socket.destroy();
  };
  const over = listOf(user).then(({ items }) =>
    Promise.all(items.slice(0, readers).map((item) => read(new URL(item.org_path_url)))),
  );
  return () => {
    stop.abort();
    return over;
  };
};
