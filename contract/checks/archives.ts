import assert from 'node:assert/strict';
import { done, nobody, refused } from '../../testkit/expect.js';
import type { Archive, CountedDays } from '../../testkit/records.js';
import { picture } from '../../testkit/world.js';
import { readZip } from '../../testkit/zip.js';
import { area } from '../harness.js';

const fetched = async (url: string): Promise<Buffer> => {
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.equal(Number(answer.headers.get('content-length')), bytes.length);
  return bytes;
};

const namesIn = (zip: Buffer): string[] =>
  readZip(zip)
    .map(({ name }) => name)
    .sort();

export const archives = area('archives', (check) => {
  check('imageDays', 'X12.1 counts the images of a list by day', async (world) => {
    const user = await world.user();
    for (const created_at of ['20240105_235959', '20240105_000000', '20240107_120000']) {
      await user.upload({ created_at });
    }
    const gone = await user.upload({ created_at: '20240108_000000' });
    await user.trash(gone);
    const days = [
      { date: 20240107, count: 1 },
      { date: 20240105, count: 2 },
    ];
    const counted = (query: Record<string, string>) =>
      user.get<CountedDays>('/images/days', query).then(done);
    assert.deepEqual(await counted({ has_delete_at: 'False' }), { days, total_count: 3 });
    const all = [{ date: 20240108, count: 1 }, ...days];
    assert.deepEqual(await counted({}), { days: all, total_count: 4 });
    const first = { days: days.slice(1), total_count: 2 };
    assert.deepEqual(await counted({ date: '20240105' }), first);
    assert.deepEqual(await counted({ search: 'nowhere' }), { days: [], total_count: 0 });
  });

  check('imageDays', 'X12.1 the ETag changes when the answer does', async (world) => {
    const user = await world.user();
    const path = `/api/v1/users/${user.id}/images/days`;
    const ask = (etag = '"none"') =>
      world.client.raw('GET', path, {
        as: ['User', user.token],
        headers: { 'if-none-match': etag },
      });
    const etag = (await ask()).headers.get('etag') ?? '';
    assert.equal((await ask(etag)).status, 304);
    await user.upload();
    const changed = await ask(etag);
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), etag);
  });

  check('imageDays', 'X12.1 platforms read the days of their own users', async (world) => {
    const user = await world.user();
    const ask = (id: string) =>
      world.client.get(`/api/v1/users/${id}/images/days`, {
        as: ['Platform', user.tenant.token],
      });
    done(await ask(user.id));
    refused(await ask((await (await world.platform()).user()).id), 400, 'user_not_found');
    refused(await user.get('/images/days', { sort_by: 'updated_at' }), 400, 'invalid_field');
    refused(await user.get('/images/days', { folder_id: nobody }), 400, 'folder_not_found');
    refused(await user.get('/images/days', { with_subfolders: 'True' }), 400, 'missing_field');
  });

  check('listFolders', 'X12.2 counts, dates and covers of folders', async (world) => {
    const user = await world.user();
    const top = await user.folder('top');
    const inner = await user.folder('inner', top);
    const first = await user.upload({ folder_id: top.id, created_at: '20240105_000000' });
    const last = await user.upload({ folder_id: inner.id, created_at: '20240107_000000' });
    await user.trash(await user.upload({ folder_id: inner.id }));
    const below = {
      image_count: 1,
      image_count_below: 1,
      first_taken_at: last.created_at,
      last_taken_at: last.created_at,
      cover: [last.thumb_url],
    };
    const both = {
      ...below,
      image_count_below: 2,
      first_taken_at: first.created_at,
      cover: [last.thumb_url, first.thumb_url],
    };
    const query = { with_counts: 'True' };
    const child_folders = [{ ...inner, ...below, child_folders: [] }];
    assert.deepEqual(await user.folders(query), [{ ...top, ...both, child_folders }]);
    const narrowed = (parent_id: string) => user.folders({ ...query, parent_id });
    assert.deepEqual(await narrowed(top.id), child_folders);
    assert.deepEqual(await narrowed(' '), [{ ...top, ...both, child_folders: [] }]);
    refused(
      await user.get('/folders', { parent_id: nobody }),
      400,
      'folder_not_found',
      'parent_id',
    );
  });

  check('createArchive', 'X12.3 a folder is a ZIP with folders, and a table', async (world) => {
    const user = await world.user();
    const top = await user.folder('현장');
    const below = await user.folder('..', top);
    const bytes = await picture();
    await user.upload({ folder_id: top.id, original_name: 'one.jpg' }, bytes);
    await user.upload({ folder_id: below.id, original_name: 'ONE.jpg' });
    await user.trash(await user.upload({ folder_id: top.id }));
    await user.upload({ original_name: 'other.jpg' });
    const ask = (form: Record<string, string>) =>
      user.post<Archive>('/images/archive', form).then(done);
    const whole = await ask({ folder_id: top.id, with_subfolders: 'True' });
    assert.equal(whole.count, 2);
    const zip = await fetched(whole.url);
    assert.equal(zip.length, whole.bytes);
    assert.deepEqual(namesIn(zip), ['_/ONE.jpg', 'images.csv', 'one.jpg']);
    assert.ok(
      readZip(zip)
        .find(({ name }) => name === 'one.jpg')
        ?.data.equals(bytes),
    );
    const flat = await ask({ folder_id: top.id });
    assert.deepEqual(namesIn(await fetched(flat.url)), ['images.csv', 'one.jpg']);
    const all = await ask({ has_delete_at: 'False' });
    assert.deepEqual(namesIn(await fetched(all.url)), [
      'images.csv',
      'other.jpg',
      '현장/_/ONE.jpg',
      '현장/one.jpg',
    ]);
  });

  check('createArchive', 'X12.3 of ids; the ZIP is of the moment of the fetch', async (world) => {
    const user = await world.user();
    const [first, second] = [await user.upload(), await user.upload()];
    const ids = `${first.id},${second.id.toUpperCase()},${first.id}`;
    const { url, count } = done(await user.post<Archive>('/images/archive', { image_ids: ids }));
    assert.equal(count, 2);
    await user.trash(first);
    assert.equal(namesIn(await fetched(url)).length, 2);
    const trashed = await user.post('/images/archive', { image_ids: ids });
    refused(trashed, 400, 'image_in_trash', 'image_ids');
    const taken = await user.post<Archive>('/images/archive', {
      image_ids: ids,
      has_delete_at: 'True',
    });
    assert.equal(done(taken).count, 2);
    for (const id of [nobody, 'x']) {
      const answer = await user.post('/images/archive', { image_ids: id });
      refused(answer, 400, 'image_not_found', 'image_ids');
    }
  });

  check('createArchive', 'X12.3 what cannot be an archive is 400', async (world) => {
    const user = await world.user();
    const { id } = await user.upload();
    const both = { image_ids: id, located: 'True' };
    refused(await user.post('/images/archive', both), 400, 'invalid_field', 'image_ids');
    const many = { image_ids: `${id},`.repeat(10_001) };
    refused(await user.post('/images/archive', many), 400, 'invalid_field', 'image_ids');
    const unknown = { folder_id: nobody };
    refused(await user.post('/images/archive', unknown), 400, 'folder_not_found', 'folder_id');
    const none = { search: 'nowhere' };
    const { count, url } = done(await user.post<Archive>('/images/archive', none));
    assert.equal(count, 0);
    assert.deepEqual(namesIn(await fetched(url)), ['images.csv']);
  });

  check('createArchive', 'X12.3 at most 20 addresses are open', async (world) => {
    const user = await world.user();
    for (let n = 0; n < 20; n += 1) done(await user.post('/images/archive'));
    refused(await user.post('/images/archive'), 400, 'too_many_archives');
  });

  check('getArchive', 'X12.3 an address opens nothing else, and only as signed', async (world) => {
    const [user, other] = [await world.user(), await world.user()];
    const { url } = done(await user.post<Archive>('/images/archive'));
    const status = async (address: string) => (await world.client.raw('GET', address)).status;
    assert.equal(await status(url), 200);
    assert.equal(await status(url.replace(/sig=../, 'sig=xx')), 403);
    assert.equal(await status(url.replace(/exp=\d/, 'exp=9')), 403);
    assert.equal(await status(url.replace(/\?.*/, '')), 401);
    assert.equal(await status(url.replace(user.id, other.id)), 403);
    refused(await other.get(`/images/archive/${nobody}`), 403, 'forbidden');
  });

  check('getUser', 'X12.5 me is the user of the token', async (world) => {
    const user = await world.user();
    const own = { as: ['User', user.token] } as const;
    const at = (path: string, call: object = own) => world.client.get('/api/v1/users' + path, call);
    assert.deepEqual(done(await at('/me')), done(await user.get('')));
    const folder = done(
      await world.client.post<{ id: string; user_id: string }>('/api/v1/users/ME/folders', {
        ...own,
        form: { title: 'mine' },
      }),
    );
    assert.equal(folder.user_id, user.id);
    done(await at(`/me/folders/${folder.id}`));
    const platform = { as: ['Platform', user.tenant.token] } as const;
    refused(await at('/me/changes', platform), 400, 'user_not_found');
    refused(await user.tenant.call('GET', '/users/me'), 400, 'user_not_found');
  });

  check('listUsers', 'X12.4 pages of users, searched by a part of the name', async (world) => {
    const tenant = await world.platform();
    for (const name of ['kim-1', 'Lee', 'KIM-2']) await tenant.user(name);
    const ask = (query: Record<string, string>) =>
      tenant.call<UserPage>('GET', '/users', { query }).then(done);
    const names = ({ items }: UserPage) => items.map((user) => user.platform_user_id);
    const found = await ask({ search: 'kim' });
    assert.deepEqual(names(found), ['kim-1', 'KIM-2']);
    assert.equal(found.total_count, 2);
    const first = await ask({ page_size: '2' });
    assert.deepEqual([names(first), first.last_index], [['kim-1', 'Lee'], 2]);
    const rest = await ask({ page_size: '2', cursor: first.next_cursor ?? '' });
    assert.deepEqual([names(rest), rest.next_cursor, rest.last_index], [['KIM-2'], null, null]);
    assert.deepEqual(names(await ask({ last_index: '1', search: '' })), ['Lee', 'KIM-2']);
    const named = await ask({ platform_user_id: 'Lee', page_size: '5' });
    assert.deepEqual([names(named), named.count], [['Lee'], 1]);
    assert.ok(named.items[0]?.access_token);
    const none = { platform_user_id: 'Lee', search: 'kim' };
    assert.deepEqual(names(await ask(none)), []);
    assert.ok(Array.isArray(done(await tenant.call('GET', '/users', { query: { search: '' } }))));
    for (const [field, value] of [
      ['page_size', '0'],
      ['last_index', '-1'],
    ] as const) {
      refused(
        await tenant.call('GET', '/users', { query: { [field]: value } }),
        400,
        'invalid_field',
        field,
      );
    }
    refused(await tenant.call('GET', '/users', { query: { cursor: 'x' } }), 400, 'invalid_cursor');
  });
});

interface UserPage {
  readonly items: readonly { platform_user_id: string; access_token?: string }[];
  readonly count: number;
  readonly total_count: number;
  readonly last_index: number | null;
  readonly next_cursor: string | null;
}
