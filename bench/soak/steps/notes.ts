import assert from 'node:assert/strict';
import type { Custom, Image } from '../../../testkit/records.js';
import type { OwnImage } from '../model.js';
import type { SimulatedUser } from '../simulated-user.js';
import { sameImage } from '../compare.js';
import { step } from '../step.js';

export const memoWords = ['점검 완료', '다시 확인', '사진 흐림'] as const;
export const customValues = ['A-1', 'B-2', 'C-3'] as const;
const customKey = '관리 번호';

const imageOf = (user: SimulatedUser): OwnImage | undefined =>
  user.random.of(user.model.imagesIn(undefined));

/** An image that already has such notes. */
const notedImageOf = (user: SimulatedUser, notes: 'memos' | 'customs'): OwnImage | undefined =>
  user.random.of(user.model.imagesIn(undefined).filter((image) => image[notes].size > 0));

export const noteSteps = [
  step(4, 'write a memo', async (user) => {
    const image = imageOf(user);
    if (!image) return;
    const memo = { message: user.random.of(memoWords), isClient: user.random.below(2) === 0 };
    const form = { message: memo.message, is_client: memo.isClient ? 'True' : 'False' };
    const record = await user.post<Image>(`/images/${image.id}/memos`, form);
    const made = record.memos?.at(-1);
    assert.ok(made && !image.memos.has(made.id), 'the new memo is the last');
    image.memos.set(made.id, memo);
    sameImage(record, image);
  }),

  step(3, 'change, read or delete a memo', async (user) => {
    const image = notedImageOf(user, 'memos');
    const [id, memo] = user.random.of([...(image?.memos ?? [])]) ?? [];
    if (!image || id === undefined || !memo) return;
    const path = `/images/${image.id}/memos`;
    const message = user.random.of(memoWords);
    if (user.random.below(2) === 0) {
      const record = await user.put<Image>(`${path}/${id}`, { message });
      memo.message = message;
      sameImage(record, image);
    } else {
      const record = await user.delete<Image>(`${path}/${id}`);
      image.memos.delete(id);
      sameImage(record, image);
    }
    sameImage(await user.get<Image>(path), image);
  }),

  step(3, 'add a custom', async (user) => {
    const image = imageOf(user);
    if (!image) return;
    const custom = { key: customKey, value: user.random.of(customValues) };
    const { id, ...record } = await user.post<Custom>(`/images/${image.id}/customs`, custom);
    image.customs.set(id, custom);
    assert.deepEqual([record.image_id, record.value], [image.id, custom.value]);
  }),

  step(2, 'change, read or delete a custom', async (user) => {
    const image = notedImageOf(user, 'customs');
    const [id, custom] = user.random.of([...(image?.customs ?? [])]) ?? [];
    if (!image || id === undefined || !custom) return;
    const path = `/images/${image.id}/customs`;
    const value = user.random.of(customValues);
    if (user.random.below(2) === 0) {
      assert.equal((await user.put<Custom>(`${path}/${id}`, { value })).value, value);
      custom.value = value;
    } else {
      assert.equal((await user.delete<Custom>(`${path}/${id}`)).id, id);
      image.customs.delete(id);
    }
    const customs = await user.get<Custom[]>(path);
    assert.deepEqual(
      customs.map((one) => [one.id, { key: one.key, value: one.value }]),
      [...image.customs],
    );
  }),
];
