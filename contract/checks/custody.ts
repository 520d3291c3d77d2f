import assert from 'node:assert/strict';
import { kindsIn, proofOf, PublishedLog } from '../../testkit/custody.js';
import { nobody, refused } from '../../testkit/expect.js';
import type { Image } from '../../testkit/records.js';
import { checkTlogProof } from '../../testkit/tlog.js';
import { area } from '../harness.js';

export const custody = area('chain of custody', (check) => {
  check('getProof', 'X16.2 the history of an image, which leads into the log', async (world) => {
    const user = await world.user();
    const image = await user.upload({ latitude: '37', longitude: '127' });
    await user.edit(image);
    await user.put<Image>(`/images/${image.id}`, { latitude: '38', longitude: '127' });
    await user.trash(image);
    const proof = await proofOf(user, image.id);
    assert.ok(Buffer.byteLength(proof) <= 8_192);
    assert.deepEqual(kindsIn(proof), ['upload', 'version', 'place', 'trash']);
    const log = PublishedLog.of(user.tenant);
    const key = (await log.key()).trim();
    const { head, entries: leaves } = await log.read();
    assert.ok(proof.includes(`\nkey ${key}\n`));
    assert.equal(head.size, leaves.length);
    const path = proof.slice(proof.indexOf('c2sp.org/'));
    const index = Number(/\nindex (\d+)\n/.exec(path)?.[1]);
    assert.deepEqual(checkTlogProof(path, leaves[index] ?? Buffer.alloc(0), key), head);
  });

  check(
    'getProof',
    'X16.4 of an image of the user, beyond 20 entries as asked for',
    async (world) => {
      const user = await world.user();
      const { id } = await user.upload();
      for (let n = 0; n < 21; n += 1) {
        await user.put<Image>(`/images/${id}`, { latitude: `${n}`, longitude: '127' });
      }
      const lengthOf = async (query = {}) => kindsIn(await proofOf(user, id, query)).length;
      assert.deepEqual([await lengthOf(), await lengthOf({ full: 'True' })], [20, 22]);
      refused(await user.get(`/images/${nobody}/proof`), 400, 'image_not_found');
      refused(
        await user.get(`/images/${id}/proof`, { full: 'perhaps' }),
        400,
        'invalid_field',
        'full',
      );
    },
  );

  check('getLogTile', 'X16.4 what the log does not have is not there', async (world) => {
    const user = await world.user();
    const { id } = await user.upload();
    await proofOf(user, id);
    const log = PublishedLog.of(user.tenant);
    for (const path of [
      'tile/0/x999/999',
      'tile/0/000.p/300',
      'tile/9/000',
      'tile/entries/000.p/0',
      'tile/x/y/z',
    ]) {
      refused(
        await world.client.get(`/log/${user.tenant.id}/${path}`, {
          as: ['Platform', user.tenant.token],
        }),
        404,
        'not_found',
      );
    }
    assert.equal((await log.raw('tile/entries/000.p/1')).status, 200);
  });
});
