import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UnansweredError } from '../../../clients/typescript/src/index.js';
import { eventually } from '../../../testkit/eventually.js';
import { newFile, type Network } from './network.js';

/** `upload()` and `check()`. */
export function testUploads(network: Network): void {
  const { relay } = network;

  describe('upload()', () => {
    test('stores a file once even if the first answer is lost', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user);
      relay.mode = 'drop-answers';
      const image = await imgstore.upload(user.id, await newFile(), {
        fields: { has_det: 'True' },
      });
      assert.equal(count.requests, 2);
      assert.deepEqual(
        (await network.storedBy(user)).map(({ id, has_det }) => [id, has_det]),
        [[image.id, true]],
      );
    });

    test('with the same key stores once, concurrently and after a restart of the app', async () => {
      const user = await network.service.user();
      const [file, how] = [await newFile(), { key: 'a-photograph' }];
      const twice = [network.clientOf(user), network.clientOf(user)].map((one) =>
        one.imgstore.upload(user.id, file, how),
      );
      const [one, two] = await Promise.all(twice);
      const again = await network.clientOf(user).imgstore.upload(user.id, file, how);
      assert.deepEqual([two?.id, again.id], [one?.id, one?.id]);
      assert.notEqual((await network.clientOf(user).imgstore.upload(user.id, file)).id, one?.id);
    });

    test('without a hash sends none, and still stores once', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user);
      relay.mode = 'drop-answers';
      const image = await imgstore.upload(user.id, await newFile(), { key: 'plain', hash: null });
      assert.equal(count.requests, 2);
      assert.deepEqual(
        (await network.storedBy(user)).map(({ id }) => id),
        [image.id],
      );
    });

    test('gives up with an error that has the key, with which the file is stored later', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user, 2);
      const file = await newFile();
      await relay.cut();
      const failure = await imgstore.upload(user.id, file).catch((error: unknown) => error);
      assert.ok(failure instanceof UnansweredError && failure.key);
      assert.equal(count.requests, 2);
      await relay.reconnect();
      await imgstore.upload(user.id, file, { key: failure.key });
      assert.equal((await network.storedBy(user)).length, 1);
    });

    test('sends a file that is no picture once, and ends when aborted', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user);
      const text = imgstore.upload(user.id, new Blob(['text']));
      await assert.rejects(text, { name: 'ImgstoreError', code: 'unsupported_image' });
      assert.equal(count.requests, 1);
      const [leave, reason] = [new AbortController(), new Error('left')];
      relay.mode = 'hang';
      const hanging = imgstore.upload(user.id, await newFile(), { signal: leave.signal });
      await eventually('it is sent', () => count.requests === 2);
      leave.abort(reason);
      await assert.rejects(hanging, reason);
      relay.mode = 'pass';
    });
  });

  test('check() accepts any number of hashes, and requests each once', async () => {
    const user = await network.service.user();
    const { imgstore, count } = network.clientOf(user);
    const { id, hashdata = '' } = await imgstore.upload(user.id, await newFile());
    const unknown = Array.from({ length: 5_001 }, (_, n) => n.toString(16).padStart(64, '0'));
    const asked = [...unknown, hashdata.toUpperCase(), hashdata];
    const { present, missing } = await imgstore.check(user.id, asked);
    assert.deepEqual(present, [{ hash: hashdata, images: [{ id, version: 0, in_trash: false }] }]);
    assert.deepEqual(missing, unknown);
    assert.equal(count.requests, 3);
  });
}
