import { forEachLimited } from '../../src/base/concurrency.js';
import { sha256 } from '../../testkit/fetch.js';
import { filePart } from '../../testkit/pictures.js';
import type { CreatedUser, Folder, Image, Presence } from '../../testkit/records.js';
import type { Scope } from '../../testkit/scope.js';
import { Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { picture } from '../../testkit/world.js';
import { Field } from './field.js';
import { keyed, type Answered } from './keyed.js';
import type { Part, PartResult } from './part.js';

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

async function run(scope: Scope, report: (line: string) => void): Promise<PartResult> {
  const field = await Field.start(scope);
  const names = Array.from({ length: users }, (_, n) => `user ${n}`);
  const owners = await Promise.all(names.map((name) => field.parts.newUser(name)));
  const senders = new Senders(field, owners);
  const sending = senders.all();
  const faults = await field.injectFaultsDuring(sending, {
    every: between,
    progress: () => senders.sent.length,
    report: (fault) => report(`${senders.sent.length} of ${pictures}: ${fault}`),
  });
  await sending;
  for (const node of [0, 1, 2]) await field.parts.killNode(node);
  await field.parts.startNode(0);
  const cuts = await field.cuts();
  const { images, folders, findings } = await compare(field, owners, senders);
  type Verified = { readonly ok: boolean; readonly objects: number };
  const { ok, objects } = await field.parts.command<Verified>('stats', 'verify');
  if (!ok) findings.push('stats verify found differences');
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

export const uploads: Part = {
  name: 'uploads',
  about: '2,000 keyed uploads to three nodes on S3, while every component is killed in turn',
  run,
};
