import { openUpload, type RawAnswer } from './raw-upload.js';
import { eventually } from '../../testkit/eventually.js';
import type { Appliance } from '../../testkit/appliance.js';
import { uploadsIn } from '../../testkit/temporary.js';
import type { Member } from '../../testkit/world.js';

/**
 * An upload whose first half the service has received. `finish` sends the rest once the stopping service
 * no longer accepts new requests.
 */
export async function halfAnUpload(
  { home, url }: Appliance,
  picture: Uint8Array,
  user: Member,
): Promise<{ readonly finish: () => Promise<RawAnswer> }> {
  const upload = openUpload(url, user, picture);
  upload.write(0, picture.length / 2);
  await eventually('it has begun', async () => (await uploadsIn(home.incoming)).length > 0);
  return {
    finish: async () => {
      await eventually('nobody new is let in', () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      );
      upload.write(picture.length / 2, picture.length);
      upload.end();
      return upload.answer;
    },
  };
}
