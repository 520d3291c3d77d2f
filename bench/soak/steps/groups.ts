import assert from 'node:assert/strict';
import type { Image, NumberedPage, Page } from '../../../testkit/records.js';
import { sameImages } from '../compare.js';
import { step } from '../step.js';
import { spots } from './uploads.js';

interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
}

const [first, second] = spots;

export const groupSteps = [
  step(2, 'group around a point', async (user) => {
    const radius = user.random.of([10, 100] as const);
    const asked = { ...first, use_radius: 'True', radius, page_size: 1000 };
    const near: readonly unknown[] = radius === 10 ? [first] : [first, second];
    const expected = user.model.imagesIn(false).filter(({ spot }) => near.includes(spot));
    const page = await user.get<Page<Image>>('/images/group', asked);
    sameImages(page.items, expected);
    assert.equal(page.total_count, expected.length);
  }),

  step(2, 'group at a location', async (user) => {
    const place = user.random.of(spots);
    const expected = user.model.imagesIn(false).filter(({ spot }) => spot === place);
    const asked = { ...place, page_size: 1000 };
    const page = await user.get<NumberedPage<Image>>('/images/group/paged', asked);
    sameImages(page.items, expected);
    assert.equal(page.total_pages, expected.length === 0 ? 0 : 1);
  }),

  step(2, 'group by locations', async (user) => {
    const { items } = await user.get<Page<Place>>('/images/group');
    const images = user.model.imagesIn(false);
    const expected = spots
      .map((place) => ({ ...place, count: images.filter(({ spot }) => spot === place).length }))
      .filter(({ count }) => count > 0);
    const byCount = (places: readonly Place[]): string[] =>
      places.map(({ latitude, longitude, count }) => `${latitude} ${longitude} ${count}`).sort();
    assert.deepEqual(byCount(items), byCount(expected));
  }),
];
