import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { forEachLimited } from '../../src/base/concurrency.js';
import { sha256 } from '../../testkit/fetch.js';
import { filePart } from '../../testkit/pictures.js';
import type { CreatedUser, Folder, Image, Presence } from '../../testkit/records.js';
import type { Scope } from '../../testkit/scope.js';
import { type Answer, type Call, Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { picture } from '../../testkit/world.js';
import { Field } from './field.js';
import type { Soaked } from './sets.js';

const pictures = 2_000;
/** Uploads per created folder. */
const perFolder = 10;
const users = 8;
/** Pictures that have to arrive between two faults. */
const between = 60;

interface Sent {
  readonly owner: CreatedUser;
  readonly hash: string;
  readonly image: Answered<Image>;
}

const as = ({ access_token }: CreatedUser) => ({ as: ['User', access_token] as const });

/** Sends everything exactly once from the senders' point of view. */
class Senders {
  readonly sent: Sent[] = [];
  readonly folders: Answered<Folder>[] = [];

  constructor(
    private readonly field: Field,
    private readonly owners: readonly CreatedUser[],
  ) {}

  async all(): Promise<void> {
    const numbers = Array.from({ length: pictures }, (_, n) => n);
    await forEachLimited(numbers, users, (n) => this.#send(n));
  }

  async #send(n: number): Promise<void> {
    const owner = this.owners[n % users] as CreatedUser;
    const base = `/api/v1/users/${owner.user_id}`;
    const to = this.field.baseUrls;
    if (n % perFolder === 0) {
      const form = { title: `folder ${n}` };
      this.folders.push(await keyed(to, { path: `${base}/folders`, ...as(owner), form }));
    }
    const bytes = await picture();
    const hash = sha256(bytes);
    const form = { image_hash: hash, image_data: filePart(bytes) };
    const image = await keyed<Image>(to, { path: `${base}/images`, ...as(owner), form });
    this.sent.push({ owner, hash, image });
  }
}

/** Compares the stored images and folders with those sent. */
async function compare(field: Field, owners: readonly CreatedUser[], senders: Senders) {
  const client = new Client(field.parts.urls[0] ?? '');
  const findings: string[] = [];
  let [images, folders] = [0, 0];
  for (const owner of owners) {
    const base = `/api/v1/users/${owner.user_id}`;
    const mine = senders.sent.filter((one) => one.owner === owner);
    const json = { hashes: mine.map(({ hash }) => hash) };
    const path = `${base}/images/check`;
    const { present } = done(await client.request<Presence>('POST', path, { ...as(owner), json }));
    const there = new Map(present.map((file) => [file.hash, file.images.map(({ id }) => id)]));
    for (const { hash, image } of mine) {
      const ids = there.get(hash) ?? [];
      images += ids.length;
      if (ids.length !== 1) findings.push(`${hash} is stored ${ids.length} times`);
      else if (ids[0] !== image.result.id) findings.push(`${hash} was reported as another image`);
    }
    const trees = await client.get<Folder[]>(`${base}/folders`, as(owner));
    folders += done(trees).length;
  }
  if (folders !== senders.folders.length) {
    findings.push(`${folders} folders instead of ${senders.folders.length}`);
  }
  return { images, folders, findings };
}

/** 2,000 keyed uploads to three nodes on S3, while every component is killed in turn. */
export async function runUploads(scope: Scope, report: (line: string) => void): Promise<Soaked> {
  const field = await Field.start(scope);
  const names = Array.from({ length: users }, (_, n) => `user ${n}`);
  const owners = await Promise.all(names.map((name) => field.parts.newUser(name)));
  const senders = new Senders(field, owners);
  const sending = senders.all();
  const arrived = (): number => senders.sent.length;
  const faults = await field.injectFaultsDuring(sending, between, arrived, (fault) =>
    report(`${arrived()} of ${pictures}: ${fault}`),
  );
  await sending;
  for (const node of [0, 1, 2]) await field.parts.killNode(node);
  await field.parts.startNode(0);
  const cuts = await field.cuts();
  const { images, folders, findings } = await compare(field, owners, senders);
  type Verified = { readonly ok: boolean; readonly objects: number };
  const { ok, objects } = await field.parts.command<Verified>('verify', 'accounts');
  if (!ok) findings.push('verify accounts found differences');
  return { details: details(senders, { images, folders, cuts, faults, objects }), findings };
}

function details(
  { sent, folders }: Senders,
  found: { images: number; folders: number; cuts: number; faults: number; objects: number },
): string[] {
  const all = [...sent.map(({ image }) => image), ...folders];
  const requests = all.reduce((sum, one) => sum + one.sent, 0);
  const repeated = all.filter((one) => one.sent > 1).length;
  const replayed = all.filter((one) => one.replayed).length;
  return [
    `${sent.length} pictures and ${folders.length} folders, in ${requests} requests`,
    `${found.faults} kills and restarts; ${found.cuts} broken connections`,
    `${repeated} were repeated, of which ${replayed} had already taken effect`,
    `${found.images} images, ${found.folders} folders, and ${found.objects} objects exist`,
  ];
}

/** A request and its path, for any node. */
interface KeyedRequest extends Call {
  readonly path: string;
}

/** The result of a request, with its attempts. */
interface Answered<R> {
  readonly result: R;
  /** How often it was sent. */
  readonly sent: number;
  /** Whether the response is a replay, because an earlier attempt had taken effect. */
  readonly replayed: boolean;
}

/** Time limits for one attempt and for all of them, in milliseconds. */
const attemptTimeoutMs = 30_000;
const totalTimeoutMs = 300_000;
const pauseMs = 150;

const again = new Set(['request_in_progress', 'upload_interrupted', 'rate_limited']);
const mayWork = ({ status, error }: Answer<unknown>): boolean =>
  status >= 500 || again.has(error?.code ?? '');

/**
 * Posts with a key to one URL after the other until there is a response.
 * @throws Error with the response if the request is finally rejected.
 */
async function keyed<R>(
  baseUrls: () => Promise<readonly string[]>,
  { path, headers, ...call }: KeyedRequest,
): Promise<Answered<R>> {
  const key = randomUUID();
  const end = Date.now() + totalTimeoutMs;
  for (let sent = 1; ; sent += 1) {
    const all = await baseUrls();
    const client = new Client(all[sent % all.length] ?? '');
    const answer = await client
      .request<R>('POST', path, {
        ...call,
        headers: { ...headers, 'Idempotency-Key': key },
        signal: AbortSignal.timeout(attemptTimeoutMs),
      })
      .catch(() => undefined); // the connection broke
    if (answer?.status === 200) {
      const replayed = answer.headers.get('idempotency-replayed') === 'true';
      return { result: answer.result, sent, replayed };
    }
    if ((answer && !mayWork(answer)) || Date.now() > end) {
      throw new Error(`${path}: ${answer?.status} ${JSON.stringify(answer?.error)}`);
    }
    await delay(pauseMs);
  }
}
