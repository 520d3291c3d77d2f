import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { resumableBytes, UnansweredError } from '../../../clients/typescript/src/index.js';
import type { ResumeProgress } from '../../../clients/typescript/src/index.js';
import { cleanEnv } from '../../../testkit/command.js';
import { done } from '../../../testkit/expect.js';
import { sha256 } from '../../../testkit/fetch.js';
import { noise } from '../../../testkit/pictures.js';
import { Random } from '../../../testkit/random.js';
import { TusClient } from '../../../testkit/tus.js';
import type { Member } from '../../../testkit/world.js';
import { newFile, type Network } from './network.js';

const random = new Random(30);

/** A picture of about 5 MB, which differs from all others. */
const bytes = (await noise(1300)) as Buffer<ArrayBuffer>;
const photo = new File([bytes], '현장 3.png', { type: 'image/png' });

/** `resume()`, and `upload()` of large files. */
export function testResuming(network: Network): void {
  const { relay } = network;

  /** What a client has sent while `work` ran, in multiples of the file. */
  const sentFor = async (work: () => Promise<unknown>): Promise<number> => {
    const before = relay.sent;
    await work();
    return (relay.sent - before) / photo.size;
  };

  const uploadsOf = (user: Member) => new TusClient(network.service.client.base, user);

  describe('resume()', () => {
    test('sends over a line that breaks only what has not arrived, and reports how much has', async () => {
      const user = await network.service.user();
      const progress: ResumeProgress[] = [];
      const before = relay.cuts;
      let id = '';
      const times = await sentFor(() =>
        network.breaking(
          () => 200_000 + random.below(400_000),
          async () => {
            ({ id } = await network.clientOf(user, 5).imgstore.resume(user.id, photo, {
              fields: { building_name: '시청', latitude: 37.5, longitude: 127 },
              onProgress: (one) => progress.push(one),
            }));
          },
        ),
      );
      assert.ok(relay.cuts - before >= 8, `${relay.cuts - before} cuts`);
      assert.ok(times <= 1.1, `${times} times the file`);
      const [stored, ...others] = await network.storedBy(user);
      assert.deepEqual(
        [stored?.id, stored?.hashdata, stored?.original_name, stored?.building_name, stored?.lat],
        [id, sha256(bytes), '현장 3.png', '시청', 37.5],
      );
      assert.deepEqual(others, []);
      const [first] = progress;
      assert.deepEqual([first?.arrived, first?.size], [0, photo.size]);
      assert.equal(progress.at(-1)?.arrived, photo.size);
      assert.ok(
        progress.every((one, n) => n === 0 || one.arrived >= (progress[n - 1]?.arrived ?? 0)),
      );
      assert.equal(new Set(progress.map(({ url }) => url)).size, 1);
    });

    test('sends nothing again if the answer to the last byte is lost', async () => {
      const user = await network.service.user();
      const { imgstore, count } = network.clientOf(user);
      const onProgress = ({ arrived, size }: ResumeProgress): void => {
        if (arrived > 0 && arrived < size) relay.mode = 'drop-answers';
      };
      const times = await sentFor(() => imgstore.resume(user.id, photo, { onProgress }));
      assert.equal(count.requests, 5); // creation, bytes twice, HEAD, image
      assert.ok(times <= 1.01, `${times} times the file`);
      assert.equal((await network.storedBy(user)).length, 1);
    });

    test('goes on from a kept URL after the program was killed', async () => {
      const user = await network.service.user();
      const killed = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        env: cleanEnv({ URL: relay.url, USER_ID: user.id, TOKEN: user.token }),
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const gone = once(killed, 'close');
      killed.stdin.on('error', () => undefined).end(bytes);
      let url = '';
      await network.breaking(
        () => 400_000,
        async () => {
          for await (const line of createInterface(killed.stdout)) {
            const progress = JSON.parse(line) as ResumeProgress;
            ({ url } = progress);
            if (progress.arrived > photo.size / 3) killed.kill('SIGKILL');
          }
          await gone;
        },
      );
      assert.equal(killed.signalCode, 'SIGKILL');
      assert.deepEqual(await network.storedBy(user), []);
      const { imgstore } = network.clientOf(user);
      let arrived: number | undefined;
      const onProgress = (now: ResumeProgress): void => void (arrived ??= now.arrived);
      const times = await sentFor(() => imgstore.resume(user.id, photo, { url, onProgress }));
      assert.ok(arrived !== undefined && arrived > photo.size / 3);
      assert.ok(times < 2 / 3, `${times} times the file`);
      const again = await sentFor(() => imgstore.resume(user.id, photo, { url }));
      assert.ok(again < 0.01, 'it is stored by now');
      assert.equal((await network.storedBy(user)).length, 1);
    });

    test('with the same key stores once, concurrently and after a restart of the app', async () => {
      const user = await network.service.user();
      const how = { key: 'a-photograph' };
      const [one, two] = await Promise.all(
        [network.clientOf(user), network.clientOf(user)].map(({ imgstore }) =>
          imgstore.resume(user.id, photo, how),
        ),
      );
      const again = await network.clientOf(user).imgstore.upload(user.id, photo, how);
      assert.deepEqual([two?.id, again.id], [one?.id, one?.id]);
      assert.equal((await network.storedBy(user)).length, 1);
    });

    test('begins anew if the upload ended, and then finds that one', async () => {
      const user = await network.service.user();
      const { imgstore } = network.clientOf(user);
      const urls: string[] = [];
      const leave = new AbortController();
      const first = imgstore.resume(user.id, photo, {
        key: 'a-photograph',
        signal: leave.signal,
        onProgress: ({ url }) => {
          urls.push(url);
          leave.abort(new Error('left'));
        },
      });
      await assert.rejects(first, { message: 'left' });
      const [url = ''] = urls;
      await uploadsOf(user).send('DELETE', new URL(url).pathname);
      const how = {
        key: 'a-photograph',
        url,
        onProgress: (one: ResumeProgress) => void urls.push(one.url),
      };
      const image = await imgstore.resume(user.id, photo, how);
      assert.notEqual(urls.at(-1), url);
      assert.equal((await imgstore.resume(user.id, photo, { key: 'a-photograph' })).id, image.id);
      assert.equal((await network.storedBy(user)).length, 1);
    });

    test('makes an edited version of an image', async () => {
      const user = await network.service.user();
      const { imgstore } = network.clientOf(user);
      const { id } = await imgstore.upload(user.id, await newFile());
      const image = await imgstore.resume(user.id, photo, { image_id: id });
      assert.deepEqual(
        [image.id, image.filedata_total, image.filedatas?.[0]?.hashdata],
        [id, 1, sha256(bytes)],
      );
      assert.equal(image.filedatas?.[0]?.original_name, '현장 3.png');
    });

    test('sends no bytes of a file for which there is no room', async () => {
      const user = await network.service.user();
      const as = ['User', user.token] as const;
      const path = `/api/v1/users/${user.id}`;
      done(await network.service.client.put(path, { as, form: { max_storage_mb: '4' } }));
      const { imgstore, count } = network.clientOf(user);
      const times = await sentFor(() =>
        assert.rejects(imgstore.resume(user.id, photo), {
          name: 'ImgstoreError',
          code: 'storage_quota_exceeded',
        }),
      );
      assert.equal(count.requests, 1);
      assert.ok(times < 0.01, `${times} times the file`);
    });

    test('reports why a file was refused, also when asked again, and sends it once', async () => {
      const user = await network.service.user();
      const text = new Blob(['text '.repeat(60_000)]);
      const { imgstore, count } = network.clientOf(user);
      let url = '';
      const onProgress = (progress: ResumeProgress): void => void ({ url } = progress);
      const refused = { name: 'ImgstoreError', code: 'unsupported_image' };
      await assert.rejects(imgstore.resume(user.id, text, { onProgress }), refused);
      assert.equal(count.requests, 2);
      await assert.rejects(imgstore.resume(user.id, text, { url }), refused);
      assert.equal(count.requests, 4);
    });

    test("does not touch others' uploads", async () => {
      const [user, other] = [await network.service.user(), await network.service.user()];
      const path = await uploadsOf(user).begin(photo.size);
      const url = relay.url + path;
      const { imgstore } = network.clientOf(other);
      await assert.rejects(imgstore.resume(user.id, photo, { url }), {
        name: 'ImgstoreError',
        code: 'forbidden',
      });
      await imgstore.resume(other.id, photo, { url });
      assert.equal((await network.storedBy(other)).length, 1);
      assert.equal(await uploadsOf(user).offset(path), 0);
    });

    test('rejects what is no URL of an upload, or that of another file', async () => {
      const user = await network.service.user();
      const { imgstore } = network.clientOf(user);
      const url = relay.url + (await uploadsOf(user).begin(5));
      await assert.rejects(imgstore.resume(user.id, photo, { url }), {
        name: 'RangeError',
        message: /of 5 bytes, but the file has \d+; omit "url"/,
      });
      const other = imgstore.resume(user.id, photo, { url: relay.url });
      await assert.rejects(other, { name: 'TypeError', message: /^"url" must be/ });
    });

    test('gives up with an error that has the key, and ends when aborted', async () => {
      const user = await network.service.user();
      const { imgstore } = network.clientOf(user, 2);
      let cut: Promise<void> | undefined;
      const onProgress = (): void => void (cut ??= relay.cut());
      const given = { key: 'a-photograph', onProgress };
      await assert.rejects(imgstore.resume(user.id, photo, given), (failure: UnansweredError) => {
        assert.ok(failure instanceof UnansweredError);
        assert.equal(failure.key, 'a-photograph');
        return true;
      });
      await cut;
      await relay.reconnect();
      const [leave, reason] = [new AbortController(), new Error('left')];
      const hanging = imgstore.resume(user.id, photo, {
        key: 'a-photograph',
        signal: leave.signal,
        onProgress: () => {
          relay.mode = 'hang';
          setImmediate(() => leave.abort(reason));
        },
      });
      await assert.rejects(hanging, reason);
      relay.mode = 'pass';
    });
  });

  test('upload() resumes from 4 MB on, unless a long text does not fit into a header', async () => {
    const user = await network.service.user();
    const { imgstore } = network.clientOf(user);
    const paths: string[] = [];
    imgstore.use({ onRequest: ({ schemaPath }) => void paths.push(schemaPath) });
    const send = async (size: number, message?: string): Promise<string | undefined> => {
      paths.length = 0;
      const fields = { folder_id: 'x', ...(message !== undefined && { message }) };
      const sent = imgstore.upload(user.id, new Blob([bytes.subarray(0, size)]), { fields });
      await assert.rejects(sent, { name: 'ImgstoreError', code: 'folder_not_found' });
      assert.equal(paths.length, 1);
      return paths[0]?.split('/').at(-1);
    };
    assert.equal(await send(resumableBytes - 1), 'images');
    assert.equal(await send(resumableBytes), 'uploads');
    assert.equal(await send(resumableBytes, '가'.repeat(1_000)), 'uploads');
    assert.equal(await send(resumableBytes, '가'.repeat(10_000)), 'images');
  });

  test('upload() stores the name of a file, and of a Blob none', async () => {
    const user = await network.service.user();
    const { imgstore } = network.clientOf(user);
    const small = await newFile();
    const nameOf = async (file: Blob) => (await imgstore.upload(user.id, file)).original_name;
    assert.equal(await nameOf(new File([small], '벽.jpg')), '벽.jpg');
    assert.equal(await nameOf(small), null);
    assert.equal(await nameOf(new Blob([bytes])), null);
  });
}

/** Sends what it reads, and prints how far it is. */
const program = `
import { buffer } from 'node:stream/consumers';
import { createImgstoreClient } from '${new URL('../../../clients/typescript/src/index.js', import.meta.url).href}';

const { URL: baseUrl, USER_ID, TOKEN: token } = process.env;
const retry = { attempts: 20, pauseMs: 10 };
const imgstore = createImgstoreClient({ baseUrl, scheme: 'User', token, retry });
await imgstore.resume(USER_ID, new Blob([await buffer(process.stdin)]), {
  onProgress: (progress) => console.log(JSON.stringify(progress)),
});
`;
