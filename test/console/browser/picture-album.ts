import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { done } from '../../../testkit/expect.js';
import { readPhoto } from '../../../testkit/photos.js';
import { namedPart } from '../../../testkit/pictures.js';
import type { Page, Image } from '../../../testkit/records.js';
import type { TestService } from '../../../testkit/service.js';
import type { Member } from '../../../testkit/world.js';

/** Photographs from the directory IMGSTORE_CONSOLE_PHOTOS; by default, crops of test fixtures. */
export async function photographs(): Promise<Buffer[]> {
  const folder = process.env.IMGSTORE_CONSOLE_PHOTOS;
  if (folder === undefined) return partsOf(['DSCN0010.jpg', 'landscape_6.jpg']);
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name))));
}

/** Each photograph and several crops of it that look different: enough to fill a page. */
async function partsOf(names: readonly string[]): Promise<Buffer[]> {
  const [width, height] = [320, 240];
  const corners = [0, 1, 2].flatMap((row) =>
    [0, 1].map((column) => ({ left: 120 * column, top: 100 * row, width, height })),
  );
  const photos = await Promise.all(names.map(readPhoto));
  const parts = photos.flatMap((photo) =>
    corners.map((corner) => sharp(photo).autoOrient().extract(corner).jpeg().toBuffer()),
  );
  return [...photos, ...(await Promise.all(parts))];
}

const folders = ['North facade', 'Roof', 'Courtyard'];

/** Latitude and longitude of towns in Italy: most photographs were taken in and around Arezzo. */
const arezzo = [43.467, 11.885] as const;
const places = [
  arezzo,
  arezzo,
  [41.9, 12.49],
  arezzo,
  [45.44, 12.33],
  arezzo,
  [44.41, 8.93],
  arezzo,
  [43.62, 13.51],
  [40.85, 14.26],
  arezzo,
  [45.46, 9.19],
] as const;

/** The photographs of one day. */
const perDay = 4;

/**
 * Fills the library of a user with photographs of some days, places and folders.
 * @returns the largest file, its year, and its position in the library, that taken last first.
 */
export async function fillAlbum(service: TestService, user: Member) {
  const tree = user;
  const made = [];
  for (const name of folders) made.push(await tree.folder(name));
  const photos = await photographs();
  const largest = photos.reduce((best, { length }, n) => {
    return length > (photos[best]?.length ?? 0) ? n : best;
  }, 0);
  let id = '';
  for (const [n, bytes] of photos.entries()) {
    const folder = made[n % (made.length + 1)];
    const [latitude, longitude] = places[n % places.length] ?? arezzo;
    const form = {
      image_data: namedPart(bytes, `IMG_${1_000 + n}.jpg`),
      created_at: `202610${12 + Math.floor(n / perDay)}_${10 + (n % perDay)}${10 + n}00`,
      latitude: String(latitude),
      longitude: String(longitude),
      address_road: `Via Roma ${n + 1}`,
      direction: String((n * 50) % 360),
      ...(n % 3 === 0 && { building_name: 'Palazzo Comunale' }),
      ...(folder && { folder_id: folder.id }),
    };
    const image = done(
      await service.client.post<Image>(user.images, {
        as: ['User', tree.token],
        form,
      }),
    );
    if (n === largest) ({ id } = image);
  }
  const query = { sort_by: 'taken_at', page_size: 200 };
  const { items } = done(
    await service.client.get<Page<Image>>(user.images, {
      as: ['User', tree.token],
      query,
    }),
  );
  const at = items.findIndex((image) => image.id === id);
  // What cameras wrote into the files comes before the time of an upload.
  const moment = items[at]?.taken_at ?? items[at]?.created_at ?? '';
  return { id, at, year: moment.slice(0, 4), count: photos.length };
}
