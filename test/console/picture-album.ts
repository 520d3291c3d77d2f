import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { done } from '../../testkit/expect.js';
import { Tree } from '../../testkit/folders.js';
import { readPhoto } from '../../testkit/photos.js';
import { filePart } from '../../testkit/pictures.js';
import type { ImageRecord } from '../../src/images/schemas.js';
import type { TestService, TestUser } from '../../testkit/service.js';

const fixtures = ['Canon_40D.jpg', 'DSCN0010.jpg', 'image01551.jpg', 'image02206.jpg'];

interface Photograph {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Photographs of IMGSTORE_CONSOLE_PHOTOS, a directory of them; by default, those of the tests. */
export async function photographs(): Promise<Photograph[]> {
  const folder = process.env.IMGSTORE_CONSOLE_PHOTOS;
  const names = folder === undefined ? fixtures : (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes =
        folder === undefined ? await readPhoto(name) : await readFile(join(folder, name));
      return { name, bytes };
    }),
  );
}

const folders = ['North facade', 'Roof', 'Courtyard'];
/** The first one is where most of the photographs were made. */
const [latitude, longitude] = [43.467, 11.885];

/**
 * Fills the library of a user with photographs of some days, places and folders.
 * @returns the id of one.
 */
export async function fillAlbum(service: TestService, user: TestUser): Promise<string> {
  const tree = new Tree(service, user);
  const made = [];
  for (const name of folders) made.push(await tree.create(name));
  let first = '';
  for (const [n, { bytes }] of (await photographs()).entries()) {
    const folder = made[n % (made.length + 1)];
    const form = {
      image_data: filePart(bytes),
      created_at: `202610${12 + Math.floor(n / 6)}_10${10 + n}00`,
      latitude: String(latitude + 0.004 * ((n * 7) % 5)),
      longitude: String(longitude + 0.005 * ((n * 3) % 7)),
      address_road: `Via Roma ${n + 1}`,
      ...(n % 3 === 0 && { building_name: 'Palazzo Comunale' }),
      ...(folder && { folder_id: folder.id }),
    };
    const image = done(await service.client.post<ImageRecord>(user.images, tree.call({ form })));
    first ||= image.id;
  }
  return first;
}
