import '../../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../core/problem';
import type { Access } from '../access';
import { FolderTree, root } from '../tree/tree';
import { filesOf, newUpload, picked } from './dropped';
import { firstGroup, presenceOf } from './presence';
import { Folders } from './store';

const file = (name: string, text = name): File => new File([text], name, { type: 'image/jpeg' });

/** An entry as browsers give it: a folder's are read a few at a time. */
function entryOf(name: string, inside?: readonly object[]): object {
  if (!inside)
    return { name, isFile: true, file: (resolve: (found: File) => void) => resolve(file(name)) };
  const parts = [inside.slice(0, 1), inside.slice(1), []];
  const readEntries = (resolve: (some: unknown) => void): void => resolve(parts.shift());
  return { name, isFile: false, createReader: () => ({ readEntries }) };
}

test('what is dropped is all files with the folders that they were in, without hidden ones', async () => {
  const entries = [
    entryOf('one.jpg'),
    entryOf('Site', [
      entryOf('front.jpg'),
      entryOf('Floor 1', [entryOf('hall.jpg'), entryOf('.DS_Store'), entryOf('Thumbs.db')]),
      entryOf('.git', [entryOf('x.jpg')]),
    ]),
  ];
  const items = [
    ...entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
    { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => file('pasted.png') },
    { kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null },
  ];
  const found = await filesOf({ items } as unknown as DataTransfer);
  assert.deepEqual(
    found.map(({ file: { name }, path }) => [...path, name].join('/')),
    ['one.jpg', 'Site/front.jpg', 'Site/Floor 1/hall.jpg', 'pasted.png'],
  );
});

test('files of a picked folder have their path', () => {
  const within = (path: string): File =>
    Object.assign(file(path.split('/').at(-1) ?? ''), { webkitRelativePath: path });
  const found = picked([within('Site/Floor 1/hall.jpg'), within('Site/.hidden'), within('')]);
  assert.deepEqual(
    found.map(({ path }) => path),
    [['Site', 'Floor 1'], []],
  );
});

/** Answers calls in place of the server. */
const accessOf = (answer: (method: string, path: string, init: never) => unknown): Access => ({
  userId: 'u',
  session: () => Promise.reject(new Error('no session')),
  call: (async (send: (client: unknown) => Promise<{ data?: { result: unknown } }>) => {
    const method =
      (name: string) =>
      (path: string, init: never): Promise<unknown> =>
        Promise.resolve({ data: { result: answer(name, path, init) } });
    const client = { GET: method('GET'), POST: method('POST') };
    return (await send(client)).data?.result;
  }) as Access['call'],
});

test('each folder is created once, also by files that are sent at once; one that exists is taken', async () => {
  const created: string[] = [];
  const access = accessOf(
    (method, _path, init: { body: { title: string; parent_id?: string } }) => {
      if (method === 'GET') {
        return [{ id: 'there', title: '현장'.normalize('NFC'), child_folders: [] }];
      }
      const { title, parent_id: parent = root } = init.body;
      created.push(`${parent}/${title}`);
      if (title.normalize('NFC') === '현장') throw new Problem('folder_exists', '', 409);
      if (title === 'refused' && created.length < 5) throw new Problem('internal_error', '', 500);
      return { id: `id of ${title}` };
    },
  );
  const folders = new Folders(access, new FolderTree(access));
  const [one, other] = await Promise.all([
    folders.at(root, ['Site', 'Floor']),
    folders.at(root, ['Site', 'Floor']),
  ]);
  assert.deepEqual([one, other], ['id of Floor', 'id of Floor']);
  assert.deepEqual(created, ['root/Site', 'id of Site/Floor']);
  assert.equal(await folders.at(root, []), root);
  // As a file manager of another system writes it.
  assert.equal(await folders.at(root, ['현장'.normalize('NFD')]), 'there');
  await assert.rejects(folders.at(root, ['refused']), { code: 'internal_error' });
  assert.equal(await folders.at(root, ['refused']), 'id of refused', 'the next file tries again');
});

test('files are asked about in groups, and found in the library before the trash', async () => {
  const uploads = ['a', 'b', 'c', 'a'].map((text, n) =>
    newUpload({ file: file(`${n}.jpg`, text), path: [] }, root),
  );
  const asked: string[][] = [];
  const access = accessOf(
    (_method, _path, { body: { hashes } }: { body: { hashes: string[] } }) => {
      asked.push(hashes);
      const [a = '', b = ''] = hashes;
      return {
        present: [
          { hash: a, images: [{ in_trash: true }, { in_trash: false }] },
          { hash: b, images: [{ in_trash: true }] },
        ],
      };
    },
  );
  const found = await presenceOf(uploads, access);
  assert.equal(asked[0]?.length, 3);
  assert.match(asked[0]?.[0] ?? '', /^[\da-f]{64}$/);
  assert.deepEqual(
    uploads.map((upload) => found.get(upload)),
    ['library', 'trash', undefined, 'library'],
  );

  const large = (bytes: number) => ({
    ...newUpload({ file: { size: bytes } as File, path: [] }, root),
  });
  const small = Array.from({ length: 250 }, () => large(1));
  assert.equal(firstGroup(small).length, 200);
  assert.equal(firstGroup([large(60e6), large(6e6), large(60e6)]).length, 2);
  assert.equal(firstGroup([large(1e9), large(1)]).length, 1);
  assert.deepEqual(firstGroup([]), []);
});
