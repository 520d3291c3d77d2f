import assert from 'node:assert/strict';
import type { Image, Page } from '../../../testkit/records.js';
import { unzip } from '../../../testkit/zip.js';
import { sha256 } from '../../../testkit/fetch.js';
import { currentOf, type OwnImage } from '../model.js';
import type { SimulatedUser } from '../simulated-user.js';
import { newestFirst, sameImages, sizeOf } from '../compare.js';
import { askedTrash, step } from '../step.js';
import { buildings, days, spots } from './uploads.js';

/** The whole list in one page must be these. */
async function listed(
  user: SimulatedUser,
  query: Record<string, string | number>,
  expected: readonly OwnImage[],
): Promise<readonly Image[]> {
  const page = await user.get<Page<Image>>('/images', { page_size: 1000, ...query });
  sameImages(page.items, expected);
  assert.deepEqual([page.count, page.total_count], [expected.length, expected.length]);
  assert.equal(page.total_filesize_mb, sizeOf(expected));
  return page.items;
}

const madeOn = ({ createdAt }: OwnImage): string => createdAt.slice(0, 8);

export const listSteps = [
  step(3, 'list as a grid', async (user) => {
    const { trash, query } = askedTrash(user.random);
    const [det, hasDet] = user.random.of([
      ['True', true],
      ['False', false],
      ['None', null],
    ] as const);
    const all = user.model.imagesIn(trash);
    newestFirst(await listed(user, { ...query, with_memo: 'True', with_history: 'True' }, all));
    const filtered = all.filter((image) => image.hasDet === hasDet);
    await listed(user, { ...query, has_det: det }, filtered);
  }),

  step(2, 'list by dates', async (user) => {
    const { trash, query } = askedTrash(user.random);
    const all = user.model.imagesIn(trash);
    const [from, to] = user.random.shuffled(days).slice(0, 2).sort();
    const between = all.filter((one) => madeOn(one) >= (from ?? '') && madeOn(one) <= (to ?? ''));
    const range = { days_or_date_range: 'date_range', start_date: from ?? '', end_date: to ?? '' };
    newestFirst(await listed(user, { ...query, ...range }, between));
    const lately = { days_or_date_range: 'days_range', days_range: 1 };
    await listed(user, { ...query, ...lately, search_date_by: 'updated_at' }, all);
  }),

  step(2, 'list by days', async (user) => {
    const { trash, query } = askedTrash(user.random);
    type Day = { date: number; count: number; images: Image[] };
    const asked = { ...query, view_type: 'grid_sep', page_size: 1000 };
    const page = await user.get<Page<Day> & { total_images: number }>('/images', asked);
    const expected = user.model.imagesIn(trash);
    assert.equal(page.total_images, expected.length);
    for (const { date, count, images } of page.items) {
      sameImages(
        images,
        expected.filter((image) => madeOn(image) === String(date)),
      );
      assert.equal(count, images.length);
    }
    assert.equal(page.items.flatMap(({ images }) => images).length, expected.length);
  }),

  step(2, 'list by distance', async (user) => {
    const { trash, query } = askedTrash(user.random);
    const near = { view_type: 'map', ...user.random.of(spots) };
    const expected = user.model.imagesIn(trash).filter(({ spot }) => spot);
    const distances = (await listed(user, { ...query, ...near }, expected)).map(
      ({ distance_m = -1 }) => distance_m,
    );
    assert.deepEqual(
      distances,
      [...distances].sort((a, b) => a - b),
      'nearest first',
    );
  }),

  step(3, 'page by last_index', async (user) => {
    const { trash, query } = askedTrash(user.random);
    const view_type = user.random.of(['grid', 'list'] as const);
    const size = 1 + user.random.below(20);
    const found = await user.readPages({ ...query, view_type, page_size: size });
    sameImages(found, user.model.imagesIn(trash));
    newestFirst(found);
  }),

  step(2, 'download a ZIP', async (user) => {
    const [search, date] = [user.random.of(buildings), user.random.of(days)];
    const { client } = user.member.tenant;
    const response = await client.raw('GET', `/api/v1/users/${user.id}/images`, {
      as: ['User', user.member.token],
      query: { view_type: 'list', download: 'True', search_type: 'building_name', search, date },
    });
    assert.equal(response.status, 200);
    const files = unzip(Buffer.from(await response.arrayBuffer()));
    assert.ok(files.delete('images.csv'), 'a table');
    const expected = user.model
      .imagesIn(undefined)
      .filter((image) => image.building === search && madeOn(image) === date);
    assert.deepEqual(
      [...files.values()].map(sha256).sort(),
      expected.map((image) => currentOf(image).hash).sort(),
    );
  }),
];
