import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Bench, Row, Sides } from '../harness/row.js';
import type { Call, LoadGenerator } from '../harness/load.js';
import { picture, upload } from '../harness/pictures.js';
import { requestsPerSecond } from '../harness/wrk.js';
import { requestJson } from '../peers/process.js';
import type { Peer, RunningPeer, Uploaded } from '../peers/peer.js';

const concurrency = 8;
const pageSize = 60;

/** A peer that is started by the first row that needs it. */
export type Started = () => Promise<RunningPeer>;

/** A request that all clients send, or the requests that each sends in turn. */
type Sent = Call | readonly (readonly Call[])[];

/** An operation whose rate is compared between two stores in the same rounds. */
interface Kind {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  readonly ours: (bench: Bench) => Promise<Sent>;
  readonly theirs: (peer: RunningPeer, bench: Bench) => Promise<Sent>;
  /** Status of the peer's successful response; 200 if omitted. */
  readonly status?: (peer: RunningPeer) => number;
}

const kinds: readonly Kind[] = [
  {
    name: 'upload',
    title: 'Uploads of 12 MP, 2.5 MB, with renditions',
    seconds: 6,
    ours: async ({ small, scratch }) => {
      const { url, headers } = await (await small()).user(0);
      return { method: 'POST', url, headers, file: await picture(scratch) };
    },
    theirs: async (peer, bench) => {
      // The very first upload creates a folder, with which concurrent uploads would conflict.
      await theirPicture(peer, bench);
      return peer.upload(await picture(bench.scratch));
    },
    status: ({ uploaded }) => uploaded,
  },
  {
    name: 'thumbnail',
    title: 'Thumbnail, made before',
    seconds: 3,
    ours: async (bench) => ({ url: (await ourPicture(bench)).thumb_url }),
    theirs: async (peer, bench) => peer.thumbnail(await theirPicture(peer, bench)),
  },
  {
    name: 'original',
    title: 'Original of 2.5 MB',
    seconds: 3,
    ours: async (bench) => ({ url: (await ourPicture(bench)).org_path_url }),
    theirs: async (peer, bench) => peer.original(await theirPicture(peer, bench)),
  },
  {
    name: 'page',
    title: `Page of ${pageSize} with their addresses`,
    seconds: 3,
    ours: async (bench) => {
      const { url, headers } = await (await bench.small()).user(0);
      return ourPage({ url, headers }, bench);
    },
    theirs: async (peer, bench) => {
      const file = await smallPicture(bench);
      await many(bench.load, peer.upload(file), peer.uploaded);
      return checked(peer.page(pageSize));
    },
  },
  {
    name: 'change',
    title: 'Change of a field of a picture',
    seconds: 3,
    // Each client changes a picture of its own, back and forth.
    ours: async (bench) => {
      const { url, headers } = await (await bench.small()).user(0);
      const change = (id: string, value: string): Call => ({
        method: 'PUT',
        url: `${url}/${id}`,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ has_det: value }),
      });
      return forEachClient(async () => {
        const { id } = await ourPicture(bench);
        return [change(id, 'True'), change(id, 'False')];
      });
    },
    theirs: (peer, bench) =>
      forEachClient(async () => {
        const { id } = await theirPicture(peer, bench);
        return [peer.change(id, 'seen'), peer.change(id, 'unseen')];
      }),
  },
];

async function forEachClient(callsOf: () => Promise<Call[]>): Promise<Call[][]> {
  const clients: Call[][] = [];
  for (let n = 0; n < concurrency; n += 1) clients.push(await callsOf());
  return clients;
}

/** Rows that compare with another store, on the same machine and the same database server. */
export const peerRows = ({ name: peer }: Peer, started: Started): Row[] =>
  kinds.map(({ name, title, seconds, ours, theirs, status }) => ({
    name: `peers/${peer.toLowerCase()}/${name}`,
    title,
    limit: peer,
    unit: '/s',
    peer,
    goal: { atLeast: 1 },
    open: async (bench): Promise<Sides> => {
      const its = await started();
      const rate = (sent: Sent, expected: number) => async (): Promise<number> => {
        if ('url' in sent && sent.method === undefined) {
          return requestsPerSecond([sent], { connections: concurrency, seconds });
        }
        const clients = 'url' in sent ? Array.from({ length: concurrency }, () => [sent]) : sent;
        const { perSecond } = await bench.load.run({
          clients,
          until: { seconds },
          status: expected,
        });
        return perSecond;
      };
      return {
        ours: rate(await ours(bench), 200),
        limit: rate(await theirs(its, bench), status?.(its) ?? 200),
      };
    },
  }));

const ourPicture = async ({ small, scratch }: Bench) =>
  upload(await (await small()).user(0), scratch);

async function ourPage({ url, headers }: Call, bench: Bench): Promise<Call> {
  const file = await smallPicture(bench);
  await many(bench.load, { method: 'POST', url, ...(headers && { headers }), file }, 200);
  return checked({ url: `${url}?page_size=${pageSize}`, ...(headers && { headers }) });
}

/** Uploads a picture without requesting renditions, and parses the peer's response. */
async function theirPicture(peer: RunningPeer, { scratch }: Bench): Promise<Uploaded> {
  const { url, headers, part } = peer.upload(await picture(scratch));
  const form = new FormData();
  const blob = new Blob([await readFile(await picture(scratch))], { type: part?.type ?? '' });
  form.set(part?.name ?? 'file', blob, part?.filename ?? 'picture.jpg');
  const init = { method: 'POST', body: form, ...(headers && { headers }) };
  return peer.read(await requestJson(url, init));
}

/** A picture for lists, where its contents do not matter. */
async function smallPicture({ scratch }: Bench): Promise<string> {
  const path = join(scratch, 'small.jpg');
  const create = { width: 320, height: 240, channels: 3, background: '#468' } as const;
  await sharp({ create }).jpeg().toFile(path);
  return path;
}

/** Uploads slightly more pictures than a page has. */
async function many(load: LoadGenerator, call: Call, status: number): Promise<void> {
  const clients = Array.from({ length: concurrency }, () => [call]);
  await load.run({ clients, until: { calls: Math.ceil(pageSize / concurrency) + 1 }, status });
}

/** @returns the call, after checking that its response has a full page. */
async function checked(call: Call): Promise<Call> {
  const answer = await requestJson(call.url, call.headers ? { headers: call.headers } : {});
  const items = listIn(answer);
  if (items !== pageSize) throw new Error(`${items} items on a page of ${pageSize}: ${call.url}`);
  return call;
}

/** The length of the first list in a response. */
function listIn(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== 'object' || answer === null) return NaN;
  return (
    Object.values(answer)
      .map(listIn)
      .find((length) => length >= 0) ?? NaN
  );
}
