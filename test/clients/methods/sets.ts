import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ImgstoreError, UploadSetError } from '../../../clients/typescript/src/index.js';
import { Random } from '../../../testkit/random.js';
import { newFile, type Network } from './network.js';

const random = new Random(12);

const setOf = (length: number) =>
  Promise.all(Array.from({ length }, async () => ({ file: await newFile() })));

/** `uploadSet()`. */
export function testSets(network: Network): void {
  const { relay } = network;

  describe('uploadSet()', () => {
    test('uploads each file once over breaking connections', async () => {
      const user = await network.service.user();
      const files = await setOf(8);
      const before = relay.cuts;
      const sent = [...files, ...files.slice(0, 2)];
      const set = await network.breaking(
        () => random.below(20_000),
        () => network.clientOf(user).imgstore.uploadSet(user.id, sent, { title: '지하 2층' }),
      );
      assert.deepEqual([set.state, set.arrived, set.missing], ['complete', 8, []]);
      assert.ok(relay.cuts > before);
      const stored = await network.storedBy(user);
      assert.deepEqual([stored.length, new Set(stored.map((one) => one.hashdata)).size], [8, 8]);
      assert.ok(stored.every(({ upload_set_id }) => upload_set_id === set.id));
    });

    test('resumes an existing set', async () => {
      const user = await network.service.user();
      const { imgstore } = network.clientOf(user);
      const files = await setOf(5);
      const leave = new AbortController();
      let id = '';
      const onProgress = (progress: { id: string; arrived: number }): void => {
        ({ id } = progress);
        if (progress.arrived === 2) leave.abort(new Error('left'));
      };
      const how = { onProgress, signal: leave.signal, concurrency: 1 };
      await assert.rejects(imgstore.uploadSet(user.id, files, how), { message: 'left' });
      assert.equal((await network.storedBy(user)).length, 2);
      const reported: number[] = [];
      const { state } = await imgstore.uploadSet(user.id, files, {
        id,
        onProgress: ({ arrived }) => reported.push(arrived),
      });
      assert.equal(state, 'complete');
      assert.deepEqual(reported, [2, 3, 4, 5]);
      assert.equal((await network.storedBy(user)).length, 5);
    });

    test('reports which files were refused, and uploads the others', async () => {
      const user = await network.service.user();
      const files = [{ file: new Blob(['text']) }, ...(await setOf(3))];
      const sent = network.clientOf(user).imgstore.uploadSet(user.id, files, { concurrency: 1 });
      await assert.rejects(sent, ({ set, failures, message }: UploadSetError) => {
        assert.deepEqual([set.expected, set.arrived, failures.size], [4, 3, 1]);
        const [failure] = failures.values();
        assert.ok(failure instanceof ImgstoreError && failure.code === 'unsupported_image');
        assert.match(message, /3 of 4 files .+ unsupported_image/);
        return true;
      });
    });

    test('stops when nothing can be sent, with an error that has the set', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user, 2);
      let cut: Promise<void> | undefined;
      const onProgress = (): void => void (cut ??= relay.cut());
      const sent = imgstore.uploadSet(user.id, await setOf(4), { onProgress, concurrency: 1 });
      const failure = await sent.catch((error: unknown) => error);
      await cut;
      await relay.reconnect();
      assert.ok(failure instanceof UploadSetError);
      const { set, failures } = failure;
      assert.deepEqual([set.state, set.arrived, failures.size], ['open', 0, 1]);
      assert.equal(count.requests, 4); // two for the set, and two attempts at its first file
    });
  });
}
