import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { column, row } from '../../src/database/sql.js';
import type { LinkRecord } from '../../src/library/links/schemas.js';
import { WallClock } from '../../src/base/time.js';
import { done, nobody, refused } from '../../testkit/expect.js';
import { Linker } from '../../testkit/links.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const { client } = service;
const clock = new WallClock('Asia/Seoul');
const inDays = (days: number): string => clock.format(new Date(Date.now() + days * 86_400_000));

async function linker() {
  const album = await service.user();
  const folder = (await album.folder('현장')).id;
  return { album, folder, links: new Linker(client, album) };
}

describe('links of a user', () => {
  test('a link shows its URL, and has the documented defaults', async () => {
    const { links, folder } = await linker();
    const made = done(await links.tryCreate({ kind: 'view', folder_id: folder }));
    const url = new URL(made.url ?? '');
    assert.equal(url.origin, client.base.replace(/\/$/, ''));
    assert.match(url.pathname, /^\/s\/[\w-]{22}$/);
    const { id, created_at, updated_at, expires_at, ...rest } = made;
    assert.equal(created_at, updated_at);
    assert.ok(expires_at > inDays(29.9) && expires_at <= inDays(30));
    assert.deepEqual(rest, {
      url: made.url,
      kind: 'view',
      folder_id: folder,
      image_ids: null,
      title: null,
      message: null,
      has_password: false,
      allow_download: false,
      show_place: false,
      state: 'active',
      visits: 0,
      last_visit_at: null,
      arrivals: 0,
    });
    assert.deepEqual(await links.read(id), made);
    assert.deepEqual(await links.read(id.toUpperCase()), made);
  });

  test('neither secret nor password is stored as it is', async () => {
    const { links, folder } = await linker();
    const password = 'Kkachi-2024';
    const { id, at } = await links.create({ kind: 'view', folder_id: folder, password });
    const found = await row<{ text: string }>(
      service.db,
      'SELECT l::text || (SELECT coalesce(string_agg(a::text, $2), $2) FROM audit_acts a) AS text FROM links l WHERE id = $1',
      [id, ' '],
    );
    const secret = at.slice('/s/'.length);
    for (const said of [secret, password, Buffer.from(password).toString('hex')]) {
      assert.ok(!found?.text.includes(said), said);
    }
    assert.equal((await links.read(id)).has_password, true);
  });

  test('a keyed repeat makes no second link, and shows the URL again', async () => {
    const { links, folder } = await linker();
    const wanted = { kind: 'request', folder_id: folder, password: 'x' };
    const headers = { 'Idempotency-Key': 'one' };
    const first = done(await links.tryCreate(wanted, headers));
    const again = await links.tryCreate(wanted, headers);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(done(again), first);
    assert.match(first.url ?? '', /^http:\/\/[^/]+\/s\/[\w-]{22}$/);
    refused(await links.tryCreate({ ...wanted, password: 'y' }, headers), 422, [
      'idempotency_key_reused',
    ]);
    const all = done(await links.call<{ total_count: number }>('GET'));
    assert.equal(all.total_count, 1);
  });

  test('a link opens a folder or images, of the user and not in the trash', async () => {
    const { links, folder, album } = await linker();
    const { id: image } = await album.upload();
    const view = { kind: 'view' };
    const cases: [object, string, string][] = [
      [{ kind: 'see', folder_id: folder }, 'invalid_field', 'kind'],
      [{ folder_id: folder }, 'missing_field', 'kind'],
      [view, 'missing_field', 'folder_id'],
      [{ ...view, folder_id: ' ' }, 'missing_field', 'folder_id'],
      [{ ...view, folder_id: nobody }, 'folder_not_found', 'folder_id'],
      [{ ...view, folder_id: 'x' }, 'folder_not_found', 'folder_id'],
      [{ ...view, image_ids: [] }, 'invalid_field', 'image_ids'],
      [{ ...view, image_ids: [image, nobody] }, 'image_not_found', 'image_ids'],
      [{ ...view, image_ids: [image, 'x'] }, 'image_not_found', 'image_ids'],
      [{ ...view, image_ids: [image], folder_id: folder }, 'invalid_field', 'image_ids'],
      [{ kind: 'request', image_ids: [image] }, 'invalid_field', 'image_ids'],
      [{ ...view, folder_id: folder, title: 'x'.repeat(256) }, 'invalid_field', 'title'],
      [{ ...view, folder_id: folder, allow_download: 'None' }, 'invalid_field', 'allow_download'],
      [{ ...view, folder_id: folder, expires_at: inDays(-1) }, 'invalid_field', 'expires_at'],
      [{ ...view, folder_id: folder, expires_at: inDays(366) }, 'invalid_field', 'expires_at'],
      [
        { ...view, folder_id: folder, expires_at: '20240230_000000' },
        'invalid_field',
        'expires_at',
      ],
    ];
    for (const [wanted, code, field] of cases) {
      refused(await links.tryCreate(wanted), 400, code, field);
    }
    const tooMany = Array.from({ length: 1_001 }, (_, i) => `${nobody.slice(0, -4)}${1000 + i}`);
    refused(
      await links.tryCreate({ ...view, image_ids: tooMany }),
      400,
      'invalid_field',
      'image_ids',
    );
    const other = await linker();
    refused(await other.links.tryCreate({ ...view, folder_id: folder }), 400, 'folder_not_found');
    refused(await other.links.tryCreate({ ...view, image_ids: image }), 400, 'image_not_found');
    await album.put<Image>(`/images/${image}`, { delete: 'True' });
    refused(await links.tryCreate({ ...view, image_ids: image }), 400, 'image_not_found');
    await album.trashFolder({ id: folder });
    refused(await links.tryCreate({ ...view, folder_id: folder }), 400, 'folder_in_trash');
    const none = done(await links.call<{ total_count: number }>('GET'));
    assert.equal(none.total_count, 0);
  });

  test('what PUT does not name stays; an empty password clears it', async () => {
    const { links, album } = await linker();
    const ids = [(await album.upload()).id, (await album.upload()).id];
    const made = await links.create({
      kind: 'view',
      image_ids: [...ids, ids[0]],
      title: '3동 누수',
      message: '확인해 주세요',
      password: 'x',
      expires_at: inDays(10),
    });
    assert.deepEqual(made.image_ids, ids);
    const { url, at, ...before } = made;
    assert.ok(url);
    assert.ok(at);
    const paused = await links.update(made.id, { state: 'paused' });
    assert.deepEqual(
      { ...paused, updated_at: before.updated_at },
      { ...before, url, state: 'paused' },
    );
    const changed = await links.update(made.id, {
      state: 'active',
      title: '',
      password: '',
      allow_download: true,
      show_place: 'True',
      expires_at: inDays(20),
    });
    assert.deepEqual(
      [changed.state, changed.title, changed.message],
      ['active', null, '확인해 주세요'],
    );
    assert.deepEqual(
      [changed.has_password, changed.allow_download, changed.show_place],
      [false, true, true],
    );
    refused(
      await links.call('PUT', `/${made.id}`, { json: { expires_at: inDays(-1) } }),
      400,
      'invalid_field',
      'expires_at',
    );
    refused(
      await links.call('PUT', `/${made.id}`, { json: { state: 'expired' } }),
      400,
      'invalid_field',
      'state',
    );
    // Nothing to change: the record stays as it is.
    assert.deepEqual(await links.update(made.id, {}), changed);
    assert.deepEqual(await links.update(made.id, { allow_download: true }), changed);
  });

  test('no password is hashed for another platform, however many it sends', async () => {
    const { links, folder, album } = await linker();
    const { id } = await links.create({ kind: 'view', folder_id: folder });
    const as = ['Platform', (await service.platform()).token] as const;
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        client.put(`/api/v1/users/${album.id}/links/${id}`, { as, json: { password: 'x' } }),
      ),
    );
    for (const answer of answers) refused(answer, 400, 'user_not_found');
  });

  test('unknown and foreign links are not found, deleted ones neither', async () => {
    const [{ links, folder }, other] = [await linker(), await linker()];
    const { id } = await links.create({ kind: 'view', folder_id: folder });
    for (const [who, link] of [
      [links, nobody],
      [links, 'x'],
      [other.links, id],
    ] as const) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        refused(await who.call(method, `/${link}`), 400, 'link_not_found');
      }
    }
    const ended = await links.end(id);
    assert.equal(ended.id, id);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      refused(await links.call(method, `/${id}`), 400, 'link_not_found');
    }
    const left = await row<{ title: null; message: null; sealed_secret: null }>(
      service.db,
      'SELECT title, message, sealed_secret FROM links WHERE id = $1 AND deleted_at IS NOT NULL',
      [id],
    );
    assert.deepEqual(left, { title: null, message: null, sealed_secret: null });
  });

  test('a platform works with links of its own users', async () => {
    const platform = await service.platform();
    const user = await service.user(platform);
    const album = user;
    const folder = (await album.folder('공유')).id;
    const stranger = await service.user();
    const as = ['Platform', platform.token] as const;
    const path = `/api/v1/users/${user.id}/links`;
    const json = { kind: 'view', folder_id: folder };
    const made = done(await client.post<LinkRecord>(path, { as, json }));
    assert.equal(done(await client.get<LinkRecord>(`${path}/${made.id}`, { as })).id, made.id);
    done(await client.put(`${path}/${made.id}`, { as, json: { state: 'paused' } }));
    const foreign = `/api/v1/users/${stranger.id}/links`;
    refused(await client.post(foreign, { as, json }), 400, 'user_not_found');
    for (const answer of [
      await client.get(foreign, { as }),
      await client.get(`${foreign}/${made.id}`, { as }),
      await client.put(`${foreign}/${made.id}`, { as }),
      await client.delete(`${foreign}/${made.id}`, { as }),
    ]) {
      refused(answer, 400, 'user_not_found');
    }
    done(await client.delete(`${path}/${made.id}`, { as }));
    const acts = await column<string>(
      service.db,
      `SELECT act || ' ' || actor FROM audit_acts WHERE user_id = $1 ORDER BY id`,
      [user.id],
    );
    assert.deepEqual(acts, [
      'link.create platform',
      'link.update platform',
      'link.delete platform',
    ]);
  });

  test('links are listed newest first, in pages, with the images they name', async () => {
    const { links, folder, album } = await linker();
    const { id: image } = await album.upload();
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const what = i % 2 ? { folder_id: folder } : { image_ids: [image] };
      made.unshift((await links.create({ kind: 'view', ...what })).id);
    }
    const listed: LinkRecord[] = [];
    for (let index = 0; listed.length < 5;) {
      const query = { last_index: index, page_size: 2 };
      const page = done(
        await links.call<{ items: LinkRecord[]; last_index: number; total_count: number }>(
          'GET',
          '',
          {
            query,
          },
        ),
      );
      assert.equal(page.total_count, 5);
      listed.push(...page.items);
      index = page.last_index;
    }
    assert.deepEqual(
      listed.map(({ id }) => id),
      made,
    );
    assert.deepEqual(
      listed.map((link) => link.image_ids),
      [[image], null, [image], null, [image]],
    );
  });

  test('a user has at most 1,000 links, also when made at once; deleted ones do not count', async () => {
    const { links, folder, album } = await linker();
    await service.db.query(
      `INSERT INTO links (id, user_id, kind, folder_id, secret_hash, allow_download, show_place, expires_at)
       SELECT gen_random_uuid(), $1, 'view', $2, sha256(gen_random_uuid()::text::bytea), false, false,
              now() + interval '1 day'
       FROM generate_series(1, 998)`,
      [album.id, folder],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => links.tryCreate({ kind: 'view', folder_id: folder })),
    );
    const made = answers.filter(({ status }) => status === 200);
    assert.equal(made.length, 2);
    const refusal = answers.find(({ status }) => status !== 200);
    assert.equal(refusal?.error?.code, 'too_many_links');
    await links.end(made[0]?.result.id ?? '');
    done(await links.tryCreate({ kind: 'view', folder_id: folder }));
  });

  test('making, changing and ending links is told in the feed; visits are not', async () => {
    const { links, folder, album } = await linker();
    const path = `/api/v1/users/${album.id}/changes`;
    const as = ['User', album.token] as const;
    const feed = async (after: number) =>
      done(
        await client.get<{ changes: { type: string; id: string; action: string }[]; last: number }>(
          path,
          { as, query: { after } },
        ),
      );
    const { last } = await feed(0);
    const { id } = await links.create({ kind: 'view', folder_id: folder });
    await service.db.query(
      'UPDATE links SET visits = visits + 1, last_visit_at = now() WHERE id = $1',
      [id],
    );
    await links.update(id, { title: 'x' });
    await links.update(id, { title: 'x' });
    await links.end(id);
    const { changes } = await feed(last);
    assert.deepEqual(
      changes.map((entry) => [entry.type, entry.id, entry.action]),
      ['created', 'updated', 'deleted'].map((action) => ['link', id, action]),
    );
    await service.db.query(
      `UPDATE links SET deleted_at = now() - interval '91 days' WHERE id = $1`,
      [id],
    );
  });
});
