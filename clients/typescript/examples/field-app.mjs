// An offline-first field app, which keeps its files in the current directory:
//     node field-app.mjs take photo.jpg …   queues photographs, with or without a network
//     node field-app.mjs sync               sends them, and brings album.json up to date
//     node field-app.mjs share              prints a link that shows the album to anybody
import { openAsBlob } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { FeedExpiredError, ImgstoreError, createImgstoreClient, sha256 } from '@imgstore/client';

const { IMGSTORE_URL: baseUrl, IMGSTORE_USER: user, IMGSTORE_TOKEN: token } = process.env;
const imgstore = createImgstoreClient({ baseUrl, scheme: 'User', token, retry: { attempts: 4 } });

/** Queues a photograph atomically under the key of its upload: time and SHA-256. */
async function take(photo) {
  const now = new Date().toLocaleString('sv').replaceAll(/[-:]/g, '').replace(' ', '_');
  const key = `${now}-${await sha256(await openAsBlob(photo))}`;
  await writeFile(key, await readFile(photo), { flush: true });
  await rename(key, `queue/${key}`);
}

/** Sends the queue, each photograph from where it broke off. It leaves once the server has it. */
async function send() {
  const queue = (await readdir('queue')).map((key) => [key, ...key.split('-')]);
  const hashes = queue.map(([, , hash]) => hash);
  const missing = new Set((await imgstore.check(user, hashes)).missing);
  for (const [key, created_at, hash] of queue) {
    const photo = await openAsBlob(`queue/${key}`);
    try {
      const fields = { created_at, upload_type: 'camera' };
      if (missing.delete(hash)) await imgstore.resume(user, photo, { key, hash, fields });
      await rm(`queue/${key}`);
    } catch (error) {
      if (!(error instanceof ImgstoreError)) throw error; // no network: the rest has to wait
      console.error(`${key} stays queued: ${error.message}`);
    }
  }
}

/** Updates the state of all the user's images, whichever device changed them. */
async function refresh() {
  const file = readFile('album.json');
  const album = await file.then(JSON.parse).catch(() => ({ last: 0, images: {} }));
  try {
    for await (const change of imgstore.changes(user, { after: album.last, follow: false })) {
      if (change.type === 'image') album.images[change.id] = change.action;
      album.last = change.seq;
    }
  } catch (error) {
    if (!(error instanceof FeedExpiredError)) throw error;
    album.images = {}; // offline for months: start over
    for await (const { last = album.last, image } of imgstore.snapshot(user)) {
      if (image) album.images[image.id] = image.delete_at ? 'trashed' : 'created';
      album.last = last;
    }
  }
  await writeFile('album.json', JSON.stringify(album));
}

/** Makes a link to what is in the album, for people without an account. */
async function share() {
  const images = Object.entries(JSON.parse(await readFile('album.json')).images);
  const ids = images.flatMap(([id, action]) => (/trashed|deleted/.test(action) ? [] : id));
  const link = { kind: 'view', image_ids: ids.slice(-1000) };
  console.log((await imgstore.links.create(user, link)).url);
}

await mkdir('queue', { recursive: true });
const [command, ...photos] = process.argv.slice(2);
for (const photo of photos) await take(photo);
if (command === 'sync') await send().then(refresh);
if (command === 'share') await share();
