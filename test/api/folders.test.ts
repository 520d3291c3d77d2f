import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { FolderRecord } from '../../src/folders/schemas.js';
import { Tree, done, refused } from '../../testkit/folders.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { client } = service;

describe('creating a folder', () => {
  test('answers the record, without child_folders', async () => {
    const tree = await Tree.of(service);
    const folder = await tree.create('여행');
    assert.ok(isUuid(folder.id));
    assert.match(folder.created_at, /^\d{8}_\d{6}$/);
    assert.deepEqual(folder, {
      id: folder.id,
      user_id: tree.user.id,
      title: '여행',
      parent_id: null,
      created_at: folder.created_at,
      updated_at: folder.created_at,
      delete_at: null,
    });
    assert.equal((await tree.create('inside', folder.id.toUpperCase())).parent_id, folder.id);
  });

  test('a blank, empty, none or null parent_id means the top level', async () => {
    const tree = await Tree.of(service);
    for (const [n, parent] of [' ', '+', '%20', '', 'none', 'None', 'null'].entries()) {
      assert.equal((await tree.create(`${n}`, parent)).parent_id, null);
    }
    const json = { title: 'json', parent_id: null };
    assert.equal(
      done(await client.post<FolderRecord>(tree.path, tree.call({ json }))).parent_id,
      null,
    );
  });

  test('takes urlencoded forms, where + is a blank', async () => {
    const tree = await Tree.of(service);
    const answer = await fetch(new URL(tree.path, client.base), {
      method: 'POST',
      headers: { authorization: `User ${tree.user.token}` },
      body: new URLSearchParams({ title: 'a b', parent_id: ' ' }),
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(await tree.outline(), ['/a b']);
  });

  test('trims titles and stores them in NFC', async () => {
    const tree = await Tree.of(service);
    assert.equal((await tree.create('  한글 '.normalize('NFD'))).title, '한글');
    refused(await tree.tryCreate('한글'), 'folder_exists', 'title');
  });

  test('a title has 1 to 255 characters, no slash and no control character', async () => {
    const tree = await Tree.of(service);
    refused(await client.post(tree.path, tree.call()), 'missing_field', 'title');
    for (const title of ['', '  ', '가'.repeat(256), 'a/b', 'a\u0007b', 'a\0b', 'a\u0085b']) {
      refused(await tree.tryCreate(title), 'invalid_field', 'title');
    }
    assert.equal((await tree.create('😀'.repeat(255))).title, '😀'.repeat(255));
  });

  test('active siblings may not share a title; others may', async () => {
    const [tree, other] = [await Tree.of(service), await Tree.of(service)];
    const folder = await tree.create('a');
    refused(await tree.tryCreate(' a'), 'folder_exists', 'title');
    await tree.create('a', folder.id);
    refused(await tree.tryCreate('a', folder.id), 'folder_exists', 'title');
    await tree.create('A');
    await other.create('a');
    await tree.trash(folder.id);
    await tree.create('a');
  });

  test('64 levels are the most', async () => {
    const tree = await Tree.of(service);
    let parent = (await tree.create('1')).id;
    for (let level = 2; level <= 64; level += 1)
      parent = (await tree.create(`${level}`, parent)).id;
    refused(await tree.tryCreate('65', parent), 'folder_too_deep', 'parent_id');
  });

  test('not in an unknown or foreign folder, nor in one in the trash', async () => {
    const [tree, other] = [await Tree.of(service), await Tree.of(service)];
    for (const parent of [uuidv7(), 'nowhere', 'UNSET', 'root', (await other.create('a')).id]) {
      refused(await tree.tryCreate('a', parent), 'folder_not_found', 'parent_id');
    }
    const gone = await tree.create('gone');
    const below = await tree.create('below', gone.id);
    await tree.trash(gone.id);
    refused(await tree.tryCreate('a', gone.id), 'folder_in_trash', 'parent_id');
    refused(await tree.tryCreate('a', below.id), 'folder_in_trash', 'parent_id');
  });
});

describe('the tree', () => {
  test('nests child_folders to full depth', async () => {
    const tree = await Tree.of(service);
    assert.deepEqual(await tree.read(), []);
    const a = await tree.create('a');
    const b = await tree.create('b', a.id);
    const c = await tree.create('c', b.id);
    assert.deepEqual(await tree.read(), [
      { ...a, child_folders: [{ ...b, child_folders: [{ ...c, child_folders: [] }] }] },
    ]);
  });

  test('siblings come by title: Korean, numbers by value', async () => {
    const tree = await Tree.of(service);
    const wanted = ['사진 1', '사진 2', '사진 10', '여행', '하늘'];
    const parent = await tree.create('하늘');
    for (const title of ['사진 10', '여행', '사진 2', '사진 1']) await tree.create(title);
    for (const title of wanted.toReversed()) await tree.create(title, parent.id);
    const roots = await tree.read();
    assert.deepEqual(
      roots.map(({ title }) => title),
      wanted,
    );
    assert.deepEqual(
      roots.at(-1)?.child_folders.map(({ title }) => title),
      wanted,
    );
  });

  test('has_delete_at: omitted both, True only trash, False only active', async () => {
    const tree = await Tree.of(service);
    const kept = await tree.create('kept');
    const gone = await tree.create('gone', kept.id);
    const below = await tree.create('below', gone.id);
    await tree.create('also kept');
    await tree.trash(gone.id);
    const whole = ['/also kept', '/kept', '/kept/gone*', '/kept/gone/below*'];
    assert.deepEqual(await tree.outline(), whole);
    for (const word of ['none', 'NULL', '']) {
      assert.deepEqual(await tree.read({ has_delete_at: word }), await tree.read());
    }
    const [trash, ...more] = await tree.read({ has_delete_at: 'True' });
    assert.deepEqual(more, []);
    assert.deepEqual([trash?.id, trash?.parent_id], [gone.id, kept.id]);
    assert.equal(trash?.child_folders[0]?.id, below.id);
    const active = await tree.read({ has_delete_at: 'false' });
    assert.deepEqual(
      active.map(({ title, child_folders }) => [title, child_folders]),
      [
        ['also kept', []],
        ['kept', []],
      ],
    );
    refused(
      await client.get(tree.path, tree.call({ query: { has_delete_at: 'x' } })),
      'invalid_field',
      'has_delete_at',
    );
  });
});
