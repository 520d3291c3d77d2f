import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { linkBearers } from '../../src/base/callers.js';
import type { ImageRecord } from '../../src/library/images/schemas.js';
import { Album } from '../../testkit/album.js';
import { done } from '../../testkit/expect.js';
import { Linker, Visitor } from '../../testkit/links.js';
import { readPhoto } from '../../testkit/photos.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const { imaging } = service.service;
const album = await Album.of(service);
const links = new Linker(service.client, album.user);

/** Whose turns in imaging were taken, in order. */
const turns: string[] = [];
const [process, full] = [imaging.process.bind(imaging), imaging.full.bind(imaging)];
imaging.process = (file, user) => (turns.push(user), process(file, user));
imaging.full = (file, user) => (turns.push(`${user}, whole`), full(file, user));

const owner = album.user.id;
const visitors = linkBearers(owner);

test('what visitors send, and whole pictures that they ask for, take their turns in imaging', async () => {
  const folder = await album.folder('현장');
  const request = await links.create({ kind: 'request', folder_id: folder });
  done(await new Visitor(service.client, request.at).send(await jpeg()));
  const form = { folder_id: folder, image_data: filePart(await readPhoto('grid.heic')) };
  const { full_url } = done(await album.call<ImageRecord>('POST', '', { form }));
  const view = await links.create({ kind: 'view', folder_id: folder, allow_download: true });
  const visitor = new Visitor(service.client, view.at);
  const [picture] = done(await visitor.images()).images;
  assert.deepEqual(turns.splice(0), [visitors, owner]);

  // At once, it is made once, whoever comes first.
  const asked = [
    visitor.raw('GET', `/${picture?.download_url}`),
    fetch(full_url ?? ''),
    visitor.raw('GET', `/${picture?.download_url}`),
  ];
  const answers = await Promise.all(
    asked.map(async (one) => Buffer.from(await (await one).arrayBuffer())),
  );
  for (const bytes of answers) assert.ok(bytes.equals(answers[0] ?? Buffer.alloc(0)));
  assert.equal(turns.length, 1);
  const small = done(await visitor.images()).images.at(-1);
  assert.equal((await visitor.raw('GET', `/${small?.download_url}`)).status, 200);
  assert.equal(turns.at(-1), `${visitors}, whole`);
});
