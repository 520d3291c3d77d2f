import assert from 'node:assert/strict';
import type { Image, Page } from '../../../testkit/records.js';
import { currentOf, type Model, type OwnImage } from '../model.js';
import type { SimulatedUser } from '../simulated-user.js';
import { sameImages } from '../compare.js';
import { askedTrash, step } from '../step.js';
import { customValues, memoWords } from './notes.js';
import { buildings } from './uploads.js';

type Matches = (image: OwnImage, model: Model, words: string) => boolean;

const matches = {
  building_name: (image, _model, words) => image.building?.includes(words) === true,
  memo: ({ memos }, _model, words) => [...memos.values()].some((m) => m.message.includes(words)),
  custom: ({ customs }, _model, words) => [...customs.values()].some((c) => c.value === words),
  folder: ({ folderId }, { folders }, words) =>
    folders.get(folderId)?.title.includes(words) === true,
  filename: (image, _model, words) => currentOf(image).hash === words,
} satisfies Record<string, Matches>;

type SearchType = keyof typeof matches;

/** Words that all users have, except the hash of a file. */
const wordsFor = (type: SearchType, { random, model }: SimulatedUser): string => {
  switch (type) {
    case 'building_name':
      return random.of([...buildings, '창고']);
    case 'memo':
      return random.of(memoWords);
    case 'custom':
      return random.of(customValues);
    case 'folder':
      return `현장 ${1 + random.below(9)}`;
    case 'filename': {
      const image = random.of(model.imagesIn(undefined));
      return image ? currentOf(image).hash : 'nothing';
    }
  }
};

async function searches(user: SimulatedUser, type: SearchType, asked: string): Promise<void> {
  const { model, random } = user;
  const words = wordsFor(type, user);
  const { trash, query } = askedTrash(random);
  const page = await user.get<Page<Image>>('/images', {
    ...query,
    search_type: asked,
    search: words,
    page_size: 1000,
  });
  const expected = model.imagesIn(trash).filter((image) => matches[type](image, model, words));
  sameImages(page.items, expected);
  assert.equal(page.total_count, expected.length);
}

const types = Object.keys(matches) as [SearchType, ...SearchType[]];

export const searchSteps = [
  step(4, 'search', (user) => searches(user, ...twice(user.random.of(types)))),
  // These words occur in one kind of field only, so "all" finds the same.
  step(2, 'search everywhere', (user) => searches(user, user.random.of(types), 'all')),
];

const twice = (type: SearchType): [SearchType, string] => [type, type];
