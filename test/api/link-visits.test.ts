import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { forgetEndedLinks } from '../../src/library/links/links.js';
import sharp from 'sharp';
import type { PicturePage } from '../../src/library/links/visitor-schemas.js';
import { done, refused } from '../../testkit/expect.js';
import { filePart } from '../../testkit/pictures.js';
import { Linker, Visitor } from '../../testkit/links.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';

const service = await ownService({ after }, { trust_proxy: '1' });
const { client } = service;

async function shared(more: object = {}) {
  const album = await service.user();
  const folder = (await album.folder('현장')).id;
  const links = new Linker(client, album);
  const link = await links.create({ kind: 'view', folder_id: folder, ...more });
  return { album, folder, links, link, visitor: new Visitor(client, link.at) };
}

describe('visitors of a link', () => {
  test('see what is in the folder and below it, newest first, and what comes later', async () => {
    const { album, folder, visitor } = await shared();
    const below = (await album.folder('지하', { id: folder })).id;
    const first = await album.upload({ folder_id: folder, created_at: '20240101_000000' });
    await album.upload({ folder_id: below, created_at: '20240103_000000' });
    await album.upload({ created_at: '20240104_000000' });
    const seen = async () =>
      done(await visitor.images()).images.map(({ created_at }) => created_at);
    assert.deepEqual(await seen(), ['20240103_000000', '20240101_000000']);
    const late = await album.upload({ created_at: '20240102_000000' });
    await album.put<Image>(`/images/${late.id}`, { folder_id: below });
    assert.deepEqual(await seen(), ['20240103_000000', '20240102_000000', '20240101_000000']);
    await album.put<Image>(`/images/${first.id}`, { delete: 'True' });
    assert.deepEqual(await seen(), ['20240103_000000', '20240102_000000']);
    await album.trashFolder({ id: below });
    assert.deepEqual(await seen(), []);
  });

  test('page through everything without gaps or repeats', async () => {
    const { album, folder, visitor } = await shared();
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      // Some at the same second: the id decides.
      const { created_at } = await album.upload({
        folder_id: folder,
        created_at: `2024010${1 + Math.floor(i / 3)}_000000`,
      });
      made.unshift(created_at);
    }
    const seen: string[] = [];
    const times: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: PicturePage = done(
        await visitor.images({ limit: 2, ...(cursor !== '' && { cursor }) }),
      );
      seen.push(...page.images.map(({ id }) => id));
      times.push(...page.images.map(({ created_at }) => created_at));
      cursor = page.next;
    }
    assert.deepEqual(times, made);
    assert.equal(new Set(seen).size, 7);
    refused(await visitor.images({ cursor: 'x' }), 400, 'invalid_cursor');
    refused(await visitor.images({ limit: 201 }), 400, 'invalid_field', 'limit');
    const other = await shared();
    const { next } = done(await visitor.images({ limit: 1 }));
    refused(await other.visitor.images({ cursor: next ?? '' }), 400, 'invalid_cursor');
  });

  test('of images see those named, in the order given', async () => {
    const { album, links } = await shared();
    const ids = [];
    for (const day of [1, 2, 3]) {
      ids.push((await album.upload({ created_at: `2024010${day}_000000` })).id);
    }
    const named = [ids[1], ids[2], ids[0]] as string[];
    const { at } = await links.create({ kind: 'view', image_ids: named });
    const visitor = new Visitor(client, at);
    const seen = async () =>
      done(await visitor.images({ limit: 2 })).images.map(({ created_at }) => created_at);
    assert.deepEqual(await seen(), ['20240102_000000', '20240103_000000']);
    const { next } = done(await visitor.images({ limit: 2 }));
    const rest = done(await visitor.images({ limit: 2, cursor: next ?? '' }));
    assert.deepEqual([rest.images.length, rest.next], [1, null]);
    await album.put<Image>(`/images/${named[0] ?? ''}`, { delete: 'True' });
    assert.deepEqual(await seen(), ['20240103_000000', '20240101_000000']);
  });

  test('learn no ids, no notes, no places, no names', async () => {
    const { album, folder, visitor, link } = await shared({ title: '제목', message: '안내' });
    const image = await album.upload({
      folder_id: folder,
      latitude: '37.5',
      longitude: '127.1',
      address_road: '세종대로 1',
      is_shared: 'True',
      message: '비밀 메모',
    });
    const page = await visitor.images();
    const [picture] = done(page).images;
    const texts = [JSON.stringify(page), JSON.stringify(await visitor.link())];
    for (const address of [picture?.thumb_url, picture?.display_url]) {
      const answer = await visitor.raw('GET', `/${address}`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
      texts.push(JSON.stringify([...answer.headers]), String(address));
      await answer.arrayBuffer();
    }
    const secrets = [album.id, album.platformId, image.id, folder, link.id, image.hashdata];
    const known = [...secrets, image.filename, '37.5', '세종대로', '비밀 메모'];
    for (const text of texts) {
      for (const said of known) assert.ok(!text.includes(said), `${said} in ${text}`);
    }
    assert.deepEqual(done(await visitor.link()), {
      needs_password: false,
      link: {
        kind: 'view',
        title: '제목',
        message: '안내',
        allow_download: false,
        show_place: false,
      },
    });
    assert.equal(picture?.download_url, undefined);
    assert.equal(picture?.place, undefined);
  });

  test('get renditions without metadata, whatever the size of the picture', async () => {
    const { album, folder, visitor } = await shared();
    const mark = 'Hong Gildong';
    for (const [width, height] of [
      [300, 200], // its stored bytes are its display rendition
      [1500, 900],
    ] as const) {
      const bytes = await sharp({ create: { width, height, channels: 3, background: '#345' } })
        .withExif({ IFD0: { Artist: mark } })
        .jpeg()
        .toBuffer();
      assert.ok(bytes.includes(mark));
      done(
        await album.call('POST', '/images', {
          form: { folder_id: folder, image_data: filePart(bytes) },
        }),
      );
      const [picture] = done(await visitor.images()).images;
      assert.deepEqual([picture?.width, picture?.height], [width, height]);
      for (const address of [picture?.thumb_url, picture?.display_url]) {
        const answer = await visitor.raw('GET', `/${address}`);
        const sent = Buffer.from(await answer.arrayBuffer());
        assert.ok(!sent.includes(mark), `${width}: ${answer.headers.get('content-type')}`);
        assert.equal((await sharp(sent).metadata()).exif, undefined);
      }
    }
  });

  test('see places and get originals where the link allows it, until it no longer does', async () => {
    const { album, folder, visitor, links, link } = await shared({
      allow_download: true,
      show_place: true,
    });
    const image = await album.upload({
      folder_id: folder,
      latitude: '37.5',
      longitude: '127.1',
      building_name: '본관',
    });
    const [picture] = done(await visitor.images()).images;
    assert.deepEqual(
      [picture?.place?.latitude, picture?.place?.longitude, picture?.place?.building_name],
      [37.5, 127.1, '본관'],
    );
    const original = await fetch(image.org_path_url ?? '').then((answer) => answer.arrayBuffer());
    const download = `/${picture?.download_url}`;
    const got = await visitor.raw('GET', download);
    assert.match(
      got.headers.get('content-disposition') ?? '',
      /^attachment; filename="image_data\.bin\.jpg"$/,
    );
    assert.deepEqual(Buffer.from(await got.arrayBuffer()), Buffer.from(original));
    const part = await visitor.raw('GET', download, { headers: { range: 'bytes=0-9' } });
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 10]);
    const known = { 'if-none-match': got.headers.get('etag') ?? '' };
    assert.equal((await visitor.raw('GET', download, { headers: known })).status, 304);
    // It is small, so its stored bytes are shown, as long as they may leave.
    const shown = `/${picture?.display_url}`;
    assert.equal((await visitor.raw('GET', shown)).status, 200);
    const madeUp = await visitor.call('GET', '/archive', { query: { address: 'x' } });
    assert.equal(madeUp.status, 403);
    assert.equal(madeUp.error?.message, 'The URL is invalid.');
    await links.update(link.id, { allow_download: false });
    assert.equal((await visitor.raw('GET', shown)).status, 403);
    assert.equal((await visitor.raw('GET', download)).status, 403);
    const other = await shared();
    assert.equal((await other.visitor.raw('GET', download)).status, 403, 'of another link');
    assert.equal((await visitor.raw('GET', '/f/x')).status, 403);
    assert.equal((await visitor.raw('POST', download)).status, 405);
  });

  test('nothing is open while a link is paused, expired, its owner suspended, its folder in the trash', async () => {
    const { album, folder, visitor, links, link } = await shared();
    await album.upload({ folder_id: folder });
    const [picture] = done(await visitor.images()).images;
    const file = `/${picture?.thumb_url}`;
    const statuses = async () => [
      await visitor.page(),
      (await visitor.link()).status,
      (await visitor.images()).status,
      (await visitor.raw('GET', file)).status,
      (await visitor.call('POST', '/password', { json: { password: 'x' } })).status,
    ];
    const [open, closed] = [
      [200, 200, 200, 200, 200],
      [410, 410, 410, 410, 410],
    ];
    assert.deepEqual(await statuses(), open);
    await links.update(link.id, { state: 'paused' });
    assert.deepEqual(await statuses(), closed);
    refused(await visitor.link(), 410, 'link_ended');
    await links.update(link.id, { state: 'active' });
    assert.deepEqual(await statuses(), open);
    const set = (sql: string, id: string) => service.db.query(sql, [id]);
    const { id: user, platformId } = album;
    for (const [close, reopen, id] of [
      [
        'UPDATE users SET suspended_at = now() WHERE id = $1',
        'UPDATE users SET suspended_at = NULL WHERE id = $1',
        user,
      ],
      [
        'UPDATE platforms SET suspended_at = now() WHERE id = $1',
        'UPDATE platforms SET suspended_at = NULL WHERE id = $1',
        platformId,
      ],
      [
        'UPDATE platforms SET deleting_at = now() WHERE id = $1',
        'UPDATE platforms SET deleting_at = NULL WHERE id = $1',
        platformId,
      ],
      [
        `UPDATE links SET expires_at = now() WHERE id = $1`,
        `UPDATE links SET expires_at = now() + interval '1 day' WHERE id = $1`,
        link.id,
      ],
      [
        'UPDATE folders SET deleted_at = now() WHERE id = $1',
        'UPDATE folders SET deleted_at = NULL WHERE id = $1',
        folder,
      ],
    ] as const) {
      await set(close, id);
      assert.deepEqual(await statuses(), closed, close);
      await set(reopen, id);
      assert.deepEqual(await statuses(), open, reopen);
    }
    await links.end(link.id);
    assert.deepEqual(await statuses(), closed);
    // Ninety days later, nobody knows that it was there.
    await set(`UPDATE links SET deleted_at = now() - interval '91 days' WHERE id = $1`, link.id);
    const { links: forgotten } = await forgetEndedLinks(service.db, new AbortController().signal);
    assert.equal(forgotten, 1);
    assert.deepEqual(await statuses(), [404, 404, 404, 404, 404]);
  });

  test('a link that never was is 404, in whatever form', async () => {
    for (const secret of ['A'.repeat(22), 'x', 'A'.repeat(300), '%ff', 'assets']) {
      const visitor = new Visitor(client, `/s/${secret}`);
      assert.ok([400, 404].includes(await visitor.page()), secret);
    }
    const visitor = new Visitor(client, `/s/${'A'.repeat(22)}`);
    refused(await visitor.link(), 404, 'not_found');
    const asked = await fetch(`${client.base}/s/${'A'.repeat(22)}`, {
      headers: { accept: 'application/json' },
    });
    assert.equal(((await asked.json()) as { error: { code: string } }).error.code, 'not_found');
  });

  test('each page opened is a visit', async () => {
    const { visitor, links, link } = await shared();
    assert.equal((await visitor.raw('HEAD', '')).status, 200);
    await visitor.link();
    await visitor.images();
    assert.equal((await links.read(link.id)).visits, 0);
    await Promise.all(Array.from({ length: 5 }, () => visitor.page()));
    const { visits, last_visit_at } = await links.read(link.id);
    assert.equal(visits, 5);
    assert.match(last_visit_at ?? '', /^\d{8}_\d{6}$/);
    await links.update(link.id, { state: 'paused' });
    await visitor.page();
    assert.equal((await links.read(link.id)).visits, 5);
  });

  test('the page forbids everything that it does not need', async () => {
    const { visitor } = await shared();
    const page = await visitor.raw('GET', '');
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'$/);
    assert.equal(page.headers.get('x-robots-tag'), 'noindex');
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.equal(page.headers.get('set-cookie'), null);
    const html = await page.text();
    const [asset = ''] = /assets\/[\w.-]+\.js/.exec(html) ?? [];
    const script = await fetch(`${client.base}/s/${asset}`);
    assert.deepEqual(
      [script.status, script.headers.get('content-type')],
      [200, 'text/javascript; charset=utf-8'],
    );
    assert.equal((await fetch(`${client.base}/s/assets/none.js`)).status, 404);
    const slashed = await fetch(`${client.base}${visitor.at}/`, { redirect: 'manual' });
    assert.deepEqual(
      [slashed.status, new URL(slashed.headers.get('location') ?? '', slashed.url).pathname],
      [308, visitor.at],
    );
  });
});

describe('a link with a password', () => {
  test('tells nothing before it was entered, and ends sessions when it changes', async () => {
    const { album, folder, links, link, visitor } = await shared({
      password: 'Kkachi',
      title: '비밀',
    });
    await album.upload({ folder_id: folder });
    const told = await visitor.link();
    assert.deepEqual(done(told), { needs_password: true, link: null });
    refused(await visitor.images(), 403, 'password_required');
    refused(await visitor.enter('kkachi'), 403, 'password_required', 'password');
    const entered = await visitor.enter('Kkachi');
    assert.equal(done(entered).link?.title, '비밀');
    const [cookie = ''] = entered.headers.getSetCookie();
    assert.match(
      cookie,
      new RegExp(
        `^imgstore_link=[^;]+; Max-Age=86400; Path=${link.at}; HttpOnly; SameSite=Strict$`,
      ),
    );
    const [picture] = done(await visitor.images()).images;
    const file = `/${picture?.thumb_url}`;
    assert.equal((await visitor.raw('GET', file)).status, 200);
    const stranger = new Visitor(client, link.at);
    assert.equal((await stranger.raw('GET', file)).status, 403, 'the address alone is not enough');
    const forged = { cookie: 'imgstore_link=99999999999.AAAA; imgstore_link=x' };
    refused(await stranger.call('GET', '/images', { headers: forged }), 403, 'password_required');
    const other = await shared({ password: 'Kkachi' });
    const borrowed = { cookie: cookie.split(';')[0] ?? '' };
    refused(
      await other.visitor.call('GET', '/images', { headers: borrowed }),
      403,
      'password_required',
    );
    await links.update(link.id, { password: 'Kkachi' });
    refused(await visitor.images(), 403, 'password_required');
    await links.update(link.id, { password: '' });
    done(await visitor.images());
  });

  test('its cookie is for https where the page is', async () => {
    const { link } = await shared({ password: 'x' });
    const visitor = new Visitor(client, link.at, { 'x-forwarded-proto': 'https' });
    assert.match((await visitor.enter('x')).headers.get('set-cookie') ?? '', /; Secure$/);
  });

  test('wrong passwords are counted by link and client; right ones are not', async () => {
    const { link, links } = await shared({ password: 'right' });
    const from = (ip: string, at = link.at) => new Visitor(client, at, { 'x-forwarded-for': ip });
    const visitor = from('192.0.2.1');
    for (let i = 0; i < 8; i += 1) done(await visitor.enter('right'));
    // More than five at once are not even checked.
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => from('192.0.2.1').enter(`wrong ${i}`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429, 429, 429]);
    const late = await visitor.enter('right');
    refused(late, 429, 'rate_limited');
    assert.match(late.headers.get('retry-after') ?? '', /^\d+$/);
    done(await visitor.images()); // who was admitted stays
    done(await from('192.0.2.2').enter('right'));
    const { at } = await links.create({ kind: 'view', folder_id: link.folder_id, password: 'x' });
    done(await from('192.0.2.1', at).enter('x'));
  });
});
