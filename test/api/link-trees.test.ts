import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { column } from '../../src/database/sql.js';
import type { PicturePage } from '../../src/library/links/visitor-schemas.js';
import { done } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const { db, client } = service;

/** Below each of two rooms of the site, at several depths; the site itself is one more. */
const foldersOfRoom = 600;
const images = 900;

/** The times of images in folders, newest first, as the database tells without paging. */
const timesIn = (folders: readonly string[]): Promise<string[]> =>
  column(
    db,
    `SELECT to_char(created_at AT TIME ZONE 'Asia/Seoul', 'YYYYMMDD_HH24MISS') FROM images
     WHERE folder_id = ANY ($1::uuid[]) ORDER BY created_at DESC, id DESC`,
    [folders],
  );

/** A folder and all below it. */
const treeOf = (root: string): Promise<string[]> =>
  column(
    db,
    `WITH RECURSIVE tree AS (
       SELECT id FROM folders WHERE id = $1
       UNION ALL SELECT c.id FROM tree JOIN folders c ON c.parent_id = tree.id
     ) SELECT id FROM tree`,
    [root],
  );

describe('a link to a folder with more than 1,000 below it', () => {
  let tree: Member;
  let site: string;
  let rooms: string[];
  let visitor: Visitor;

  before(async () => {
    tree = await service.user();
    site = (await tree.folder('site')).id;
    const elsewhere = (await tree.folder('elsewhere')).id;
    rooms = [(await tree.folder('1', { id: site })).id, (await tree.folder('2', { id: site })).id];
    for (const room of rooms) {
      // Ten in the room, ten in each of these, and the others at the third level.
      let parents = [room];
      for (let left = foldersOfRoom - 1; left > 0;) {
        const wanted = Math.min(left, parents.length * 10);
        parents = await column<string>(
          db,
          `INSERT INTO folders (id, user_id, parent_id, title)
           SELECT gen_random_uuid(), $1, ($2::uuid[])[1 + i % cardinality($2::uuid[])], 'f' || i
           FROM generate_series(1, $3::int) AS i RETURNING id`,
          [tree.id, parents, wanted],
        );
        left -= wanted;
      }
    }
    // Ten at each second, spread over all folders, some outside of the site.
    const all = [...(await treeOf(site)), elsewhere, elsewhere];
    await db.query(
      `INSERT INTO images (id, platform_id, user_id, folder_id, created_at, upload_type, version_id,
         filename, format, extension, thumb_extension, hash, bytes, width, height, thumbhash,
         original_extension, original_bytes)
       SELECT gen_random_uuid(), $1, $2, ($3::uuid[])[1 + (i * 7) % cardinality($3::uuid[])],
              timestamptz '2024-01-01Z' + i / 10 * interval '1 second', 'gallery',
              gen_random_uuid(), 'x.jpg', 'jpeg', 'jpg', 'jpg', '\\x00', 1, 1, 1, '\\x00', 'jpg', 1
       FROM generate_series(1, $4::int) AS i`,
      [tree.platformId, tree.id, all, images],
    );
    const links = new Linker(client, tree);
    visitor = new Visitor(client, (await links.create({ kind: 'view', folder_id: site })).at);
  });

  async function pages(limit: number): Promise<string[]> {
    const seen = new Map<string, string>();
    let shown = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: PicturePage = done(
        await visitor.images({ limit, ...(cursor !== '' && { cursor }) }),
      );
      for (const { id, created_at } of page.images) seen.set(id, created_at);
      shown += page.images.length;
      cursor = page.next;
    }
    assert.equal(seen.size, shown, 'none is shown twice');
    return [...seen.values()];
  }

  test('shows every picture once, newest first, and none from elsewhere', async () => {
    const folders = await treeOf(site);
    assert.equal(folders.length, 2 * foldersOfRoom + 1);
    const expected = await timesIn(folders);
    assert.ok(expected.length > 800 && expected.length < images);
    assert.deepEqual(await pages(200), expected);
    assert.deepEqual(await pages(37), expected);
  });

  test('shows the same, less what is in the trash, once there are fewer', async () => {
    const [first = '', second = ''] = rooms;
    await tree.trashFolder({ id: second });
    assert.deepEqual(await pages(200), await timesIn([site, ...(await treeOf(first))]));
  });
});
