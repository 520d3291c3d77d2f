import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyValue } from '../../src/database/sql.js';
import { done } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

const service = await testService();

test('links go with their user, those that have ended as well', async () => {
  const album = await service.user();
  const folder = (await album.folder('현장')).id;
  const links = new Linker(service.client, album);
  const { id, at } = await links.create({ kind: 'request', folder_id: folder });
  const ended = await links.create({ kind: 'view', folder_id: folder });
  await links.end(ended.id);
  const visitor = new Visitor(service.client, at);
  done(await visitor.send(await jpeg({ width: 40, height: 30 })));
  const as = ['User', album.token] as const;
  done(await service.client.delete(`/api/v1/users/${album.id}`, { as }));
  assert.equal(await visitor.page(), 404);
  const sql = `SELECT (SELECT count(*) FROM links WHERE id = ANY ($1))::int +
    (SELECT count(*) FROM link_arrivals WHERE link_id = ANY ($1))::int`;
  assert.equal(await onlyValue(service.db, sql, [[id, ended.id]]), 0);
});

test('a link to a folder that is deleted for good stays, and opens nothing', async () => {
  const album = await service.user();
  const folder = (await album.folder('현장')).id;
  const links = new Linker(service.client, album);
  const { id, at } = await links.create({ kind: 'view', folder_id: folder });
  const as = ['User', album.token] as const;
  done(await service.client.delete(`/api/v1/users/${album.id}/folders/${folder}`, { as }));
  assert.equal(await new Visitor(service.client, at).page(), 410);
  assert.deepEqual(
    [(await links.read(id)).folder_id, (await links.read(id)).state],
    [folder, 'active'],
  );
});
