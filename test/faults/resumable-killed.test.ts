import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Upload } from 'tus-js-client';
import { appliance } from '../../testkit/appliance.js';
import { eventually } from '../../testkit/eventually.js';
import { longForm } from '../../testkit/long-form.js';
import { noise } from '../../testkit/pictures.js';
import { uploadsIn } from '../../testkit/temporary.js';
import { balance } from './accounts.js';

const serving = await appliance({ after }, { privately: true });
const { home, user, port } = serving;

const kills = longForm ? 10 : 2;
const lanes = 4;
const each = longForm ? 12 : 4;

/** Uploads with the official client, which goes on after each kill. @returns the id of the image. */
const upload = (bytes: Buffer, key: string, onChunk: () => void): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    let imageId: string | undefined;
    const sent = new Upload(bytes, {
      endpoint: serving.url + user.images.replace(/images$/, 'uploads'),
      headers: { Authorization: `User ${user.token}`, 'Idempotency-Key': key },
      chunkSize: 150_000,
      retryDelays: Array.from({ length: 400 }, () => 100),
      onAfterResponse: (_request, response) => {
        imageId = response.getHeader('Upload-Image-Id') ?? imageId;
      },
      onChunkComplete: onChunk,
      onError: reject,
      onSuccess: () => resolve(imageId),
    });
    sent.start();
  });

/** Kills the service, and starts it again at the same address. */
async function killAndStart(): Promise<void> {
  await serving.kill();
  await serving.restart(['--port', String(port)]);
}

test('uploads that resume while the service is killed are stored once each', async () => {
  let chunks = 0;
  const files = new Map<string, Buffer>();
  const lane = async (_: unknown, l: number): Promise<void> => {
    for (let n = 0; n < each; n += 1) {
      const bytes = await noise(420);
      const id = await upload(bytes, `${l}-${n}`, () => (chunks += 1));
      assert.ok(id, 'its client learns what it became');
      files.set(id, bytes);
    }
  };
  const working = Promise.all(Array.from({ length: lanes }, lane));
  for (let kill = 1; kill <= kills; kill += 1) {
    const due = chunks + lanes * 2;
    await eventually('they go on', async () => chunks >= due || files.size === lanes * each);
    await killAndStart();
  }
  await working;
  assert.equal(files.size, lanes * each);
  assert.equal(await user.count(), lanes * each, 'none is there twice');
  for (const [id, bytes] of files) await user.expectBytes(id, bytes);
  assert.deepEqual(await uploadsIn(home.incoming), []);
  await balance(home);
});
