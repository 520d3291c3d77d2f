import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { done, refused } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { Random } from '../../testkit/random.js';
import { readPages } from '../../testkit/read-pages.js';
import type { Folder, Image, Page } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import { all, type Member } from '../../testkit/world.js';

const service = await testService();
const counts = { with_counts: 'True' };

/** What the answers say of a folder, without its record. */
interface Said {
  readonly own: number | undefined;
  readonly below: number | undefined;
  readonly first: string | null | undefined;
  readonly last: string | null | undefined;
  /** Ids of the images, by the paths of their URLs. */
  readonly cover: readonly (string | undefined)[] | undefined;
}

const said = (folder: Folder): Said => ({
  own: folder.image_count,
  below: folder.image_count_below,
  first: folder.first_taken_at,
  last: folder.last_taken_at,
  cover: folder.cover?.map((url) => url.split('/').at(-3)),
});

const timeOf = ({ taken_at, created_at }: Image): string => taken_at ?? created_at;

/** The same of a folder in the answers of lists. */
function counted(folder: Folder, images: readonly Image[]): Said {
  const within = new Set(all([folder]).map(({ id }) => id));
  const below = images.filter((image) => within.has(image.folder_id ?? ''));
  const newest = [...below].sort((a, b) => (timeOf(a) + a.id < timeOf(b) + b.id ? 1 : -1));
  const [last, first] = [newest[0], newest.at(-1)];
  return {
    own: below.filter((image) => image.folder_id === folder.id).length,
    below: below.length,
    first: first ? timeOf(first) : null,
    last: last ? timeOf(last) : null,
    cover: newest.slice(0, 4).map(({ id }) => id),
  };
}

describe('counts and covers of folders', () => {
  let user: Member;
  let images: readonly Image[];

  before(async () => {
    user = await service.user();
    const random = new Random(8);
    const chance = (tenths: number): boolean => random.below(10) < tenths;
    const folders: (string | null)[] = [null];
    for (let n = 0; n < 40; n += 1) {
      const parent = random.of(folders) ?? null;
      const id = uuidv7();
      folders.push(id);
      await service.db.query(
        'INSERT INTO folders (id, user_id, parent_id, title) VALUES ($1, $2, $3, $4)',
        [id, user.id, parent, `folder ${n}`],
      );
    }
    const time = (): string => new Date(1.7e12 + random.below(1e8) * 1000).toISOString();
    const rows = Array.from({ length: 150 }, () => {
      const folder = random.of(folders);
      return {
        ...(folder && { folder_id: folder }),
        created_at: time(),
        ...(chance(5) && { taken_at: time() }),
        ...(chance(2) && { deleted_at: time() }),
      };
    });
    await seedImages(service, user, rows);
    const full = folders.filter((id) => rows.some((row) => row.folder_id === id));
    for (const id of full.slice(0, 3)) if (id) await user.trashFolder({ id });
    images = await readPages(async (at) =>
      done(
        await user.get<Page<Image>>('/images', {
          ...at,
          page_size: '1000',
          has_delete_at: 'False',
        }),
      ),
    );
  });

  for (const has_delete_at of ['None', 'True', 'False']) {
    test(`are those of the lists, without the trash (has_delete_at ${has_delete_at})`, async () => {
      const folders = all(await user.folders({ ...counts, has_delete_at }));
      assert.deepEqual(
        folders.map((folder) => [folder.title, said(folder)]),
        folders.map((folder) => [folder.title, counted(folder, images)]),
      );
      assert.ok(has_delete_at === 'True' || folders.some(({ image_count }) => image_count));
      const plain = all(await user.folders({ has_delete_at }));
      assert.deepEqual(plain.map(({ id }) => id).sort(), folders.map(({ id }) => id).sort());
      assert.ok(plain.every(({ image_count }) => image_count === undefined));
    });
  }

  test('parent_id narrows them to the folders in one, with what is below', async () => {
    const tree = await user.folders();
    for (const [parent, children] of [
      [' ', tree],
      ...all(tree).map(({ id, child_folders = [] }) => [id, child_folders] as const),
    ] as const) {
      const answer = await user.folders({ ...counts, parent_id: parent });
      assert.deepEqual(
        answer.map((folder) => [folder.id, folder.child_folders, said(folder)]),
        children.map((folder) => [folder.id, [], counted(folder, images)]),
      );
      const plain = await user.folders({ parent_id: parent });
      assert.deepEqual(
        plain,
        children.map((folder) => ({ ...folder, child_folders: [] })),
      );
    }
  });

  test('a parent that is unknown, or of another user, is refused', async () => {
    const other = await (await service.user()).folder('of another');
    for (const parent_id of [other.id, uuidv7(), 'x']) {
      for (const query of [{ parent_id }, { ...counts, parent_id }]) {
        refused(await user.get('/folders', query), 400, 'folder_not_found', 'parent_id');
      }
    }
  });

  test('the URLs of a cover are those of thumbnails', async () => {
    const one = await service.user();
    const folder_id = (await one.folder('with a picture')).id;
    const { thumb_url } = await one.upload({ folder_id });
    const [folder] = await one.folders(counts);
    assert.deepEqual(folder?.cover, [thumb_url]);
  });
});
