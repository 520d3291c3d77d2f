import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { value } from '../../src/database/sql.js';
import { assertAccounts } from '../../testkit/accounts.js';
import { done, refused } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const { client } = service;
const pictures = await Promise.all([61, 62, 63].map((width) => jpeg({ width, height: 48 })));
const [one, two, three] = pictures as [Buffer, Buffer, Buffer];

const uploadType = (id: string | undefined): Promise<string | undefined> =>
  value(service.db, 'SELECT upload_type FROM images WHERE id = $1', [id]);

async function asked(more: object = {}) {
  const album = await service.user();
  const folder = (await album.folder('접수')).id;
  const links = new Linker(client, album);
  const link = await links.create({ kind: 'request', folder_id: folder, ...more });
  const received = async (): Promise<readonly Image[]> =>
    done(await album.call<{ items: Image[] }>('GET', '/images')).items;
  return { album, folder, links, link, received, visitor: new Visitor(client, link.at) };
}

describe('a link that asks for pictures', () => {
  test('takes them into its folder, and shows nothing but that they arrived', async () => {
    const { visitor, received, folder, album } = await asked({ message: '계기판을 찍어 주세요' });
    assert.equal(done(await visitor.link()).link?.message, '계기판을 찍어 주세요');
    const sent = await visitor.send(one);
    const { id, ...rest } = done(sent);
    assert.deepEqual(rest, {});
    const [image] = await received();
    assert.equal(image?.folder_id, folder);
    assert.equal(await uploadType(image?.id), 'request');
    const text = JSON.stringify([sent, [...sent.headers]]);
    for (const said of [album.id, image?.id ?? '', folder]) assert.ok(!text.includes(said));
    const arrived = async (ids: string) =>
      done(await visitor.call<{ arrived: string[] }>('GET', '/arrived', { query: { ids } }))
        .arrived;
    assert.deepEqual(await arrived(`${id},${'0'.repeat(32)},x`), [id]);
    assert.deepEqual(await arrived(String(image?.id)), []);
    refused(await visitor.images(), 404, 'not_found');
    await assertAccounts(service);
  });

  test('stores the same file once, also when it is sent many times at once', async () => {
    const { visitor, received, album } = await asked();
    const answers = await Promise.all(Array.from({ length: 6 }, () => visitor.send(one)));
    const ids = new Set(answers.map((answer) => done(answer).id));
    assert.equal(ids.size, 1);
    assert.equal((await received()).length, 1);
    done(await visitor.send(two));
    assert.equal((await received()).length, 2);
    // What the owner has thrown away may be sent again.
    for (const { id } of await received())
      await album.put<Image>(`/images/${id}`, { delete: 'True' });
    done(await visitor.send(one));
    const active = (await received()).filter(({ delete_at }) => delete_at === null);
    assert.equal(active.length, 1);
    await assertAccounts(service);
  });

  test('takes a file that the owner has, and one that came through another link', async () => {
    const { visitor, links, folder, received } = await asked();
    const { at } = await links.create({ kind: 'request', folder_id: folder });
    done(await visitor.send(three));
    done(await new Visitor(client, at).send(three));
    assert.equal((await received()).length, 2);
  });

  test('reads nothing but the file, and refuses what is no picture', async () => {
    const { visitor, received } = await asked();
    refused(await visitor.send(Buffer.from('no picture')), 400, 'unsupported_image');
    refused(
      await visitor.call('POST', '/images', { form: { x: 'y' } }),
      400,
      'missing_field',
      'image_data',
    );
    const form = {
      image_data: new Blob([one]),
      latitude: '1',
      longitude: '1',
      created_at: '20000101_000000',
      upload_type: 'camera',
      folder_id: ' ',
      message: 'x',
      is_shared: 'True',
    };
    done(await visitor.call('POST', '/images', { form }));
    const [image] = await received();
    assert.equal(await uploadType(image?.id), 'request');
    assert.deepEqual([image?.lat, image?.is_shared], [null, false]);
    assert.ok((image?.created_at ?? '') > '2001');
  });

  test('takes the name of its sender with the first of equal files, and counts what arrived', async () => {
    const { visitor, received, album, links, link } = await asked();
    const send = (sender: string, picture = one) =>
      visitor.call('POST', '/images', { form: { image_data: filePart(picture), sender } });
    refused(await send('길'.repeat(101)), 400, 'invalid_field', 'sender');
    done(await send('길'.repeat(100)));
    done(await send('둘리'));
    done(await send('', two));
    const senders = async ({ id }: Image) => done(await album.call('GET', `/images/${id}/customs`));
    const [later, first] = await received();
    assert.ok(later && first);
    const sent = JSON.stringify(await senders(first));
    assert.ok(sent.includes('"key":"sender"') && sent.includes('길'.repeat(100)), sent);
    assert.ok(!sent.includes('둘리'));
    assert.ok(!JSON.stringify(await senders(later)).includes('sender'));
    assert.equal((await links.read(link.id)).arrivals, 2);
    await assertAccounts(service);
  });

  test('counts against the quota of the owner', async () => {
    const { visitor, album } = await asked();
    const as = ['User', album.token] as const;
    done(
      await client.put(`/api/v1/users/${album.id}`, {
        as,
        json: { max_storage_mb: 0.0001 },
      }),
    );
    refused(await visitor.send(one), 400, 'storage_quota_exceeded');
  });

  test('takes nothing while it is closed, without its password, or for a link to look at', async () => {
    const { visitor, links, link, folder, received } = await asked({ password: 'x' });
    refused(await visitor.send(one), 403, 'password_required');
    done(await visitor.enter('x'));
    done(await visitor.send(one));
    await links.update(link.id, { state: 'paused' });
    refused(await visitor.send(two), 410, 'link_ended');
    await links.end(link.id);
    refused(await visitor.send(two), 410, 'link_ended');
    const view = await links.create({ kind: 'view', folder_id: folder });
    refused(await new Visitor(client, view.at).send(two), 404, 'not_found');
    assert.equal((await received()).length, 1);
  });

  test('an Idempotency-Key of a visitor is nothing to the owner', async () => {
    const { visitor, links, folder } = await asked();
    const headers = { 'Idempotency-Key': 'mine' };
    const form = { image_data: new Blob([one]) };
    done(await visitor.call('POST', '/images', { form, headers }));
    done(await links.tryCreate({ kind: 'view', folder_id: folder }, headers));
  });
});
