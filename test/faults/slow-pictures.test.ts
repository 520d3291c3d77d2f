import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pngOfSize } from '../../testkit/bombs.js';
import { plain } from '../imaging/support.js';
import { filePart } from '../../testkit/pictures.js';
import { longOnly } from '../../testkit/long-form.js';
import { ownService, type TestService, type TestUser } from '../../testkit/service.js';

const settings = {
  'imaging.threads': '2',
  'imaging.timeout': '1s',
  'limits.max_megapixels': '1000',
};

const upload = ({ client }: TestService, owner: TestUser, picture: Uint8Array) =>
  client.post(owner.images, {
    as: ['User', owner.token],
    form: { image_data: filePart(picture) },
  });

const chunk = (type: string, data: Buffer): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
};

/** A WebP animation of one pixel: libwebp needs quadratic time to find its frames. */
function manyFrames(): Buffer {
  const pixel = chunk('VP8L', Buffer.from('2f000000108888080100', 'hex'));
  const frame = chunk('ANMF', Buffer.concat([Buffer.alloc(16), pixel]));
  const canvas = chunk('VP8X', Buffer.from([2, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const frames = Array<Buffer>(30_000).fill(frame);
  const body = [Buffer.from('WEBP'), canvas, chunk('ANIM', Buffer.alloc(6)), ...frames];
  return chunk('RIFF', Buffer.concat(body));
}

/** Milliseconds between an answer and the next picture of an attacker. */
const pauseMs = 200;

/** Each takes far longer than its limit. */
const hostile = [pngOfSize(30_000, 30_000), manyFrames()];

/** The same image as a different file, so that the server does not recognize it. */
let serial = 0;
const another = (picture: Buffer): Buffer => Buffer.concat([picture, Buffer.from(`${serial++}`)]);

/** Uploads one after the other. @returns the milliseconds of each, in ascending order. */
async function times(
  service: TestService,
  owner: TestUser,
  picture: Buffer,
  count: number,
): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const { status } = await upload(service, owner, picture);
    taken.push(performance.now() - start);
    assert.equal(status, 200, `upload ${i}`);
  }
  return taken.sort((a, b) => a - b);
}

const p99 = (taken: readonly number[]): number => taken[Math.ceil(taken.length * 0.99) - 1] ?? NaN;

test('four users who constantly send slow images delay nobody else', longOnly, async (t) => {
  const service = await ownService(t, settings);
  const small = await plain(64, 64, [1, 2, 3]).png().toBuffer();
  const victim = await service.user();
  const idle = p99(await times(service, victim, small, 8));
  let attacking = true;
  const answers = new Map<string, number>();
  const attack = async (owner: TestUser): Promise<void> => {
    for (let n = 0; attacking; n++) {
      const picture = hostile[n % hostile.length] as Buffer;
      const { status, error } = await upload(service, owner, another(picture));
      const answer = `${status} ${error?.code}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      // Otherwise immediate rejections would make this a flood of requests instead of a test of images.
      await sleep(pauseMs);
    }
  };
  const attackers = await Promise.all(Array.from({ length: 4 }, () => service.user()));
  const attacks = attackers.map(attack);
  const attacked = await times(service, victim, small, 12);
  attacking = false;
  await Promise.all(attacks);
  t.diagnostic(`p99 idle ${idle} ms, attacked ${p99(attacked)} ms, longest ${attacked.at(-1)} ms`);
  t.diagnostic(`attackers: ${JSON.stringify([...answers])}`);
  const wrong = [...answers.keys()].filter((answer) => /corrupt|500|internal/.test(answer));
  assert.deepEqual(wrong, []);
  assert.ok(answers.has('400 image_too_complex'));
  // Other tests run beside this one; npm run attacks measures the delay.
  assert.ok(p99(attacked) <= Math.max(5 * idle, 30_000), `${p99(attacked)} ms, idle ${idle} ms`);
});
