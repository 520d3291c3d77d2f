import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { done, refused } from '../../testkit/expect.js';
import type { Call } from '../../testkit/client.js';
import type { Image, Presence } from '../../testkit/records.js';
import { picture } from '../../testkit/world.js';
import type { Member } from '../../testkit/world.js';
import { area } from '../harness.js';

const path = '/images/check';
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const unknown = (i: number): string => sha256(Buffer.from(String(i)));
const ask = async (user: Member, hashes: readonly string[]): Promise<Presence> =>
  done(await user.post<Presence>(path, { hashes }));

/** Ways in which clients send a list. */
const ways: Record<string, (hashes: string[]) => Call> = {
  'a repeated field': (hashes) => ({ form: { hashes } }),
  'a comma-separated string': (hashes) => ({ urlencoded: { hashes: hashes.join(',') } }),
  'a JSON array in a form': (hashes) => ({ form: { hashes: JSON.stringify(hashes) } }),
  'a JSON body': (hashes) => ({ json: { hashes } }),
};

/** A user with an image that was edited, one in the trash, and the hashes of all three files. */
async function collection(user: Member) {
  const files = [await picture(), await picture(), await picture()] as const;
  const [first, edit, trashed] = files.map(sha256) as [string, string, string];
  const image = await user.upload({}, files[0]);
  await user.edit(image, files[1]);
  const gone = await user.trash(await user.upload({}, files[2]));
  const entry = ({ id }: Image, hash: string, version: number, in_trash: boolean) => ({
    hash,
    images: [{ id, version, in_trash }],
  });
  return {
    present: [
      entry(image, first, 0, false),
      entry(image, edit, 1, false),
      entry(gone, trashed, 0, true),
    ],
    hashes: [first, edit, trashed] as const,
    image,
    file: files[0],
  };
}

export const check = area('check', (rule) => {
  rule(
    'checkImages',
    'X2.2 finds uploads, edits, and the trash, in the order of the request',
    async (world) => {
      const user = await world.user();
      const { hashes, present } = await collection(user);
      const [first, edit, trashed] = hashes;
      assert.deepEqual(await ask(user, [unknown(2), trashed, unknown(1), first, edit]), {
        present: [present[2], present[0], present[1]],
        missing: [unknown(2), unknown(1)],
      });
    },
  );

  rule(
    'checkImages',
    'X2.2 lists every image with the same file, and none of other users',
    async (world) => {
      const [user, other] = [await world.user(), await world.user()];
      const { hashes, image, file } = await collection(user);
      const twin = await user.upload({}, file);
      const { present } = await ask(user, [hashes[0]]);
      assert.deepEqual(
        present.map(({ images }) => images.map(({ id }) => id)),
        [[image.id, twin.id]],
      );
      assert.deepEqual(await ask(other, hashes), { present: [], missing: [...hashes] });
    },
  );

  for (const [what, call] of Object.entries(ways)) {
    rule(
      'checkImages',
      `X2.1 accepts hashes as ${what}, in either case, and ignores duplicates`,
      async (world) => {
        const user = await world.user();
        const [a, b] = [unknown(1), unknown(2)];
        const answer = await user.call<Presence>('POST', path, call([b, a.toUpperCase(), b, a]));
        assert.deepEqual(done(answer), { present: [], missing: [b, a] });
      },
    );
  }

  rule('checkImages', 'X2.1 accepts up to 5,000 hashes in any type of body', async (world) => {
    const user = await world.user();
    const most = Array.from({ length: 5_000 }, (_, i) => unknown(i));
    for (const call of Object.values(ways)) {
      const answer = await user.call<Presence>('POST', path, call(most));
      assert.deepEqual(done(answer).missing, most);
      const [double = ''] = most;
      refused(
        await user.call('POST', path, call([...most, double])),
        400,
        'invalid_field',
        'hashes',
      );
    }
  });

  rule('checkImages', 'X2.1 refuses values that are not hashes', async (world) => {
    const user = await world.user();
    refused(await user.post(path), 400, 'missing_field', 'hashes');
    const hash = unknown(1);
    for (const wrong of [
      '',
      ',',
      'x',
      `${hash}0`,
      hash.slice(1),
      hash.replace(/^./, 'g'),
      '[',
      '{}',
    ]) {
      refused(await user.post(path, { hashes: wrong }), 400, 'invalid_field', 'hashes');
    }
    for (const wrong of [null, 1, {}, [hash, null], [[hash]], []]) {
      refused(
        await user.call('POST', path, { json: { hashes: wrong } }),
        400,
        'invalid_field',
        'hashes',
      );
    }
  });
});
