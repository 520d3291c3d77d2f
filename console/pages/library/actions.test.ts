import '../../testing/browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImgstoreError } from '../../../clients/typescript/src/index.js';
import type { Batch } from '../../../clients/typescript/src/index.js';
import type { ImgstoreClient } from '../../core/api';
import { problemOf } from '../../core/problem';
import type { Access } from './access';
import { change, move } from './actions';
import type { Image } from './listing';

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

/** A server with images in folders, some of which are gone. @param gone their ids. */
function serverOf(count: number, gone: readonly string[] = []) {
  const folders = new Map(idsOf(count).map((id) => [id, `folder ${Number(id) % 2}`]));
  for (const id of gone) folders.delete(id);
  const sent: Batch[] = [];
  const batch = async (_user: string, body: Batch) => {
    sent.push(body);
    await Promise.resolve();
    const ids = body.image_ids ?? body.changes?.map(({ image_id: id }) => String(id)) ?? [];
    const offenders = ids.filter((id) => !folders.has(id)).slice(0, 100);
    if (offenders.length > 0) {
      const named = offenders.map((image_id) => ({ image_id, code: 'image_not_found' }));
      throw new ImgstoreError(400, 'image_not_found', 'gone', 'image_ids', { offenders: named });
    }
    const images = ids.map((id) => ({ id, folder_id: folders.get(id) }) as Image);
    const changed = ids.filter((id, n) => {
      const own = body.changes?.[n] as { readonly folder_id?: string } | undefined;
      const to = body.folder_id ?? own?.folder_id ?? folders.get(id) ?? '';
      const isChanged = to !== folders.get(id) || body.delete !== undefined;
      folders.set(id, to);
      return isChanged;
    });
    return { count: ids.length, changed, unchanged: [], ...(body.with_records && { images }) };
  };
  const access: Access = {
    userId: 'user',
    session: () => Promise.reject(new Error('none')),
    call: async (send) => {
      const { data, error, response } = await send({ batch } as unknown as ImgstoreClient);
      if (data) return data.result as never;
      throw problemOf(response.status, error);
    },
  };
  return { access, folders, sent };
}

const goOn = (): boolean => true;

test('any number of images is moved, a thousand with each request, and back to where each was', async () => {
  const { access, folders, sent } = serverOf(2_300);
  const before = new Map(folders);
  const steps: number[] = [];
  const onStep = (done: number): boolean => steps.push(done) > 0;
  const moving = move(access, { images: idsOf(2_300) }, 'folder 0', onStep);
  const { done, changed, failed, back } = await moving;
  assert.deepEqual([done, changed.length, failed], [2_300, 1_150, 0]);
  assert.deepEqual(steps, [1_000, 2_000]);
  assert.ok(sent.every(({ image_ids: ids = [] }) => ids.length <= 1_000));
  assert.deepEqual(new Set(folders.values()), new Set(['folder 0']));
  const undone = await back?.();
  assert.equal(undone?.done, 1_150, 'only those that were elsewhere');
  assert.deepEqual(folders, before);
});

test('who stops it is told what was done until then, and takes that back', async () => {
  const { access, folders } = serverOf(3_000);
  const before = new Map(folders);
  const { done, changed, failed, back } = await move(
    access,
    { images: idsOf(3_000) },
    'folder 0',
    (step) => step < 2_000,
  );
  assert.deepEqual([done, changed.length, failed], [2_000, 1_000, 0]);
  assert.equal(folders.get('2501'), before.get('2501'));
  await back?.();
  assert.deepEqual(folders, before);
});

test('images that are gone are left out, and said; the others are done', async () => {
  const gone = ['3', '4', '1500'];
  const { access, folders } = serverOf(2_000, gone);
  const before = new Map(folders);
  const images = idsOf(2_000);
  const { done, failed, problem, back } = await move(access, { images }, 'folder 0', goOn);
  assert.deepEqual([done, failed], [1_997, 3]);
  await back?.();
  assert.deepEqual(folders, before, 'which can be taken back');
  assert.equal((problem as { code?: string }).code, 'image_not_found');
});

test('what is refused as a whole is not sent again, and stops', async () => {
  const { access, sent } = serverOf(0);
  const refusing: Access = {
    ...access,
    call: () => {
      sent.push({});
      return Promise.reject(problemOf(409, { error: { code: 'held' } }));
    },
  };
  const { done, failed } = await change(refusing, idsOf(3_000), { is_shared: 'True' }, goOn);
  assert.deepEqual([done, failed], [0, 3_000]);
  assert.equal(sent.length, 2, 'once to know what was before');
});
