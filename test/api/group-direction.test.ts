import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rows } from '../../src/database/sql.js';
import { refusal } from '../../testkit/expect.js';
import { seedImages } from '../../testkit/image-rows.js';
import { walkPages } from '../../testkit/read-pages.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';
import type { Member } from '../../testkit/world.js';

const service = await testService();
const user = await service.user();

/** The directions of images that are each one meter farther from the point. */
const directions = [null, 0, 10, 30, 31, 89.5, 180, 329, 330, 345.25, 359.999];
const ids = await seedImages(
  service,
  user,
  directions.map((_, n) => ({ place: [37.5 + n / 1e5, 127], bytes: 1_048_576 })),
);
for (const [n, direction] of directions.entries()) {
  await rows(service.db, 'UPDATE images SET direction = $2 WHERE id = $1', [ids[n], direction]);
}

type Query = Record<string, string>;
const point = { use_radius: 'True', latitude: '37.5', longitude: '127', radius: '1000' };
interface Page {
  readonly items: Image[];
  readonly total_count: number;
  readonly total_filesize_mb: number;
}
const ask = (query: Query, path = '', as: Member = user) =>
  service.client.get<Page>(`${user.images}/group${path}`, { as: ['User', as.token], query });
const found = async (query: Query) => {
  const { status, result, error } = await ask({ ...point, ...query });
  assert.equal(status, 200, error?.message);
  assert.equal(result.total_count, result.items.length);
  assert.equal(result.total_filesize_mb, result.items.length);
  return result.items.map(({ direction }) => direction);
};

describe('pictures of a spot that look the same way', () => {
  test('are those within some degrees on either side, nearest first', async () => {
    assert.deepEqual(await found({ direction: '0' }), [0, 10, 30, 330, 345.25, 359.999]);
    assert.deepEqual(await found({ direction: '360' }), [0, 10, 30, 330, 345.25, 359.999]);
    assert.deepEqual(await found({ direction: '355', direction_within: '10' }), [0, 345.25, 359.999]); // prettier-ignore
    assert.deepEqual(await found({ direction: '15', direction_within: '16' }), [0, 10, 30, 31, 359.999]); // prettier-ignore
    assert.deepEqual(await found({ direction: '31', direction_within: '0' }), [31]);
    assert.deepEqual(await found({ direction: '270', direction_within: '180' }), directions.slice(1)); // prettier-ignore
    assert.deepEqual(await found({ direction: '250' }), []);
  });

  test('leave out the others only if a direction is asked for', async () => {
    assert.deepEqual(await found({}), directions);
  });

  test('come in pages whose total stays right, by index and by number', async () => {
    const query = { ...point, direction: '0', page_size: '4' };
    const seen = await walkPages<Image>(
      async (at) => {
        const { result } = await ask({ ...query, ...at });
        assert.equal(result.total_count, 6);
        return result as never;
      },
      async () => undefined,
    );
    assert.deepEqual(seen.map(({ direction }) => direction), [0, 10, 30, 330, 345.25, 359.999]); // prettier-ignore
    const second = (await ask({ ...query, page: '2' }, '/paged')).result;
    assert.deepEqual([second.total_count, second.items.length], [6, 2]);
    // Another direction is another list, whatever page comes next.
    const other = await ask({ ...query, direction: '180', last_index: '4' });
    assert.deepEqual([other.result.total_count, other.result.items], [1, []]);
  });

  for (const [what, query, field] of [
    ['a width without a direction', { ...point, direction_within: '5' }, 'direction_within'],
    ['a width without anything', { direction_within: '5' }, 'direction_within'],
    ['both without a point', { direction: '5', direction_within: '5' }, 'direction_within'],
    [
      'both without a point, in a radius',
      { use_radius: 'True', direction: '5', direction_within: '5' },
      'direction_within',
    ],
    ['a direction without a point', { direction: '5' }, 'direction'],
    ['a direction at exactly a point', { ...point, use_radius: 'False', direction: '5' }, 'direction'], // prettier-ignore
    ['no direction', { ...point, direction: '361' }, 'direction'],
    ['a negative one', { ...point, direction: '-1' }, 'direction'],
    ['a width of more than half', { ...point, direction: '5', direction_within: '181' }, 'direction_within'], // prettier-ignore
  ] as const) {
    test(`are refused for ${what}`, async () => {
      const answer = await ask(query);
      assert.deepEqual(refusal(answer), [400, 'invalid_field', field]);
      assert.match(answer.error?.message ?? '', /^direction(_within)? must be (sent|a number)/);
    });
  }
});
