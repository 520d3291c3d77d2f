import { json, serving } from '../../../testing/server';
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, test } from 'node:test';
import type { Problem } from '../../../core/problem';
import { begin, end, session, sessionOf } from '../../../core/session';
import { unsent } from '../../../core/unsent';
import { accessTo } from '../access';
import { FolderTree, root } from '../tree/tree';
import { Leftovers } from './leftovers';
import { Folders } from './store';
import { Uploads } from './uploads';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (name: string): string =>
  `${part({})}.${part({ scope: 'user', typ: 'access', sub: 'u', name })}.c2ln`;

/** Uploads that wait for an answer, names that have been stored, and hashes of what is there already. */
let waiting: { readonly name: string; readonly key: string; readonly answer: ServerResponse }[] =
  [];
let keys: string[] = [];
let present: readonly { hash: string; images: readonly { in_trash: boolean }[] }[] = [];
let refused = '';
/** Keys of uploads that were ended, and of those that had been stored by then. */
let ended: string[] = [];
let stored: string[] = [];

/** Of the last upload: its fields; and what was put on images. */
let fields = new Map<string, string>();
let customs: string[] = [];
const names = new Map<string, string>();

const begun = (answer: ServerResponse, key: string, offset: string): void =>
  void answer.writeHead(201, { Location: `/uploads/${key}`, 'Upload-Offset': offset }).end();

await serving(({ method, path, headers, body, answer }) => {
  const token = headers.authorization?.split(' ').at(-1) ?? '';
  if (token === refused) return json(answer, 401, { error: { code: 'token_revoked' } });
  if (path.endsWith('/check')) return json(answer, 200, { result: { present } });
  if (method === 'DELETE') {
    ended.push(path.split('/').at(-1) ?? '');
    if (stored.includes(ended.at(-1) ?? '')) answer.setHeader('Upload-Image-Id', 'image');
    return void answer.writeHead(204).end();
  }
  if (method === 'PATCH') {
    const key = path.split('/').at(-1) ?? '';
    return void waiting.push({ name: names.get(key) ?? '', key, answer });
  }
  if (path.endsWith('/customs')) {
    customs.push(`${path} ${body.toString()}`);
    return json(answer, 200, { result: {} });
  }
  if (method !== 'POST') return json(answer, 200, { result: {} });
  const key = String(headers['idempotency-key']);
  fields = new Map(
    String(headers['upload-metadata'])
      .split(',')
      .map((pair) => pair.split(' '))
      .map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString()]),
  );
  names.set(key, fields.get('filename') ?? '');
  keys.push(`${names.get(key)} ${key}`);
  // What has been begun is found by its key, without its bytes.
  if (body.length === 0) begun(answer, key, '0');
  else waiting.push({ name: names.get(key) ?? '', key, answer });
});

const signIn = (name: string): void => begin(sessionOf(tokenOf(name))!);

/** Uploads to the user of the session. */
function uploads(): { all: Uploads; resume: () => void } {
  const all = new Uploads(new Leftovers('u'));
  const resume = (): void => {
    const access = accessTo(undefined);
    all.resume({ access, folders: new Folders(access, new FolderTree(access)) });
  };
  if (session.value) resume();
  return { all, resume };
}

const files = (...names: string[]) =>
  names.map((name) => ({ file: new File([name], name, { type: 'image/jpeg' }), path: [] }));

const unsentNames = (): string[] =>
  unsent()
    .map(({ name }) => name)
    .toSorted();

/** How long a busy machine may take, in milliseconds. */
const patienceMs = 60_000;

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const since = Date.now(); !holds();) {
    assert.ok(Date.now() - since < patienceMs, what);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const store = (name: string): void => {
  const found = waiting.find((one) => one.name === name);
  assert.ok(found, name);
  waiting = waiting.filter((one) => one !== found);
  found.answer.setHeader('Upload-Image-Id', name);
  begun(found.answer, found.key, '1');
};

describe('uploads to a user', () => {
  beforeEach(() => {
    end();
    waiting = [];
    keys = [];
    present = [];
    refused = '';
    ended = [];
    stored = [];
    customs = [];
  });

  test('three files are sent at a time, the next when one is stored; what is no picture is not sent', async () => {
    signIn('one');
    const { all } = uploads();
    const text = { file: new File(['x'], 'notes.txt', { type: 'text/plain' }), path: [] };
    all.add([...files('a', 'b', 'c', 'd', 'e'), text], root);
    await until('three are on their way', () => waiting.length === 3);
    await until('the text is refused', () => all.failed.length === 1);
    assert.deepEqual([all.sending.size, all.left, all.total, all.done], [3, 5, 6, 0]);
    assert.equal((all.failed[0]?.problem as Problem).code, 'unsupported_image');
    assert.ok(!all.canRetry);
    assert.deepEqual(unsentNames(), ['a', 'b', 'c', 'd', 'e']);
    store('b');
    await until('the next begins', () => waiting.some(({ name }) => name === 'd'));
    for (const name of ['a', 'c', 'd']) store(name);
    await until('the last begins', () => waiting.length === 1);
    store('e');
    await until('all are stored', () => all.done === 5);
    assert.deepEqual([all.left, all.sentBytes, all.totalBytes, unsent().length], [0, 5, 5, 0]);
    assert.equal(new Set(keys).size, 5);
    all.dismiss();
    assert.deepEqual([all.total, all.stored], [0, 5]);
  });

  test('files that are there already wait for the reader, who sends or skips them', async () => {
    signIn('one');
    const { all } = uploads();
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from('a'))).toString(
      'hex',
    );
    present = [{ hash, images: [{ in_trash: true }] }];
    all.add(files('a', 'b'), root);
    await until('the other is sent', () => waiting.length === 1);
    store('b');
    await until('it is stored', () => all.done === 1);
    assert.deepEqual([...all.present.values()], ['trash']);
    all.skipPresent();
    assert.deepEqual([all.present.size, all.left], [0, 0]);
    all.add(files('a'), root);
    await until('it is found again', () => all.present.size === 1);
    all.sendPresent();
    await until('it is sent', () => waiting.length === 1);
    store('a');
    await until('it is stored', () => all.stored === 2);
  });

  test('a refused file is named, and sent no more; what was given up neither', async () => {
    signIn('one');
    const { all } = uploads();
    all.add(files('full', 'late'), root);
    await until('both are on their way', () => waiting.length === 2);
    const full = waiting.find(({ name }) => name === 'full');
    json(full!.answer, 403, { error: { code: 'storage_quota_exceeded', message: 'full' } });
    await until('it has failed', () => all.failed.length === 1);
    assert.equal((all.failed[0]?.problem as Problem).code, 'storage_quota_exceeded');
    all.stop();
    all.retry();
    assert.deepEqual([all.left, all.sending.size, all.done, all.stopped], [0, 0, 0, 1]);
    assert.deepEqual(unsent(), []);
    await until('it has ended on the server', () => ended.length === 1);
  });

  test('what the reader said of all, and where the camera was, goes with each file', async () => {
    signIn('one');
    const { all } = uploads();
    all.details.value = { address: '상도로 1', message: '누수', key: '현장', value: '3동' };
    const spot = { latitude: 37.5, longitude: 127, accuracy: 12.5 };
    all.add([{ ...files('a')[0]!, camera: true, spot }], root);
    await until('it is on its way', () => waiting.length === 1);
    const said = Object.fromEntries(fields);
    delete said.image_hash;
    assert.deepEqual(said, {
      filename: 'a',
      upload_type: 'camera',
      latitude: '37.5',
      longitude: '127',
      accuracy_m: '12.5',
      address_road: '상도로 1',
      message: '누수',
    });
    store('a');
    await until('it is stored', () => all.done === 1);
    assert.equal(customs.length, 1);
    assert.match(customs[0] ?? '', /images\/a\/customs.*현장.*3동/s);
    all.details.value = undefined;
    all.add(files('b'), root);
    await until('it is on its way', () => waiting.length === 1);
    assert.deepEqual([...fields.keys()].toSorted(), ['filename', 'image_hash']);
    store('b');
    await until('it is stored', () => all.stored === 2);
  });

  test('what had arrived when the reader stopped counts as stored', async () => {
    signIn('one');
    const { all } = uploads();
    all.add(files('a', 'b', 'c', 'd'), root);
    await until('three are on their way', () => waiting.length === 3);
    stored = waiting.filter(({ name }) => name === 'b').map(({ key }) => key);
    all.stop();
    assert.deepEqual([all.stopped, all.total], [4, 4]);
    await until('the three have ended', () => ended.length === 3);
    await until('one is stored', () => all.done === 1);
    assert.deepEqual([all.stopped, all.total, all.stored], [3, 4, 1]);
  });

  test('uploads wait while nobody is signed in, and go on with the same keys', async () => {
    signIn('one');
    const { all, resume } = uploads();
    all.add(files('a', 'b'), root);
    await until('both are on their way', () => waiting.length === 2);
    const before = keys.toSorted();
    waiting = [];
    keys = [];
    end();
    assert.deepEqual([all.sending.size, all.left], [0, 2]);
    assert.deepEqual(unsentNames(), ['a', 'b']);
    signIn('two');
    resume();
    await until('both are sent again', () => keys.length === 2);
    assert.deepEqual(keys.toSorted(), before);
    await until('both go on', () => waiting.length === 2);
    for (const name of ['a', 'b']) store(name);
    await until('both are stored', () => all.done === 2);
  });

  test('a token that the server refuses ends the session, and the file is kept for the next one', async () => {
    signIn('one');
    const { all, resume } = uploads();
    refused = tokenOf('one');
    all.add(files('a'), root);
    await until('the session has ended', () => session.value === undefined);
    await until('the file waits', () => all.left === 1 && all.failed.length === 0);
    signIn('two');
    resume();
    await until('it is sent', () => waiting.length === 1);
    store('a');
    await until('it is stored', () => all.done === 1);
  });
});
