import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Linker, Visitor } from '../../testkit/links.js';
import { ownService } from '../../testkit/service.js';
import { TusClient } from '../../testkit/tus.js';

// A proxy in front removes the path, which the service is not asked for.
const service = await ownService({ after }, { public_url: 'HTTPS://Photos.Example/app/' });
const base = 'https://photos.example/app';

test('URLs and cookies have the path of public_url, and its scheme and host in any case', async () => {
  const album = await service.user();
  const image = await album.upload();
  assert.ok(image.path_url.startsWith(`${base}/files/`), image.path_url);
  const links = new Linker(service.client, album);
  const wanted = { kind: 'view', folder_id: (await album.folder('a')).id, password: 'x' };
  const { at, url } = await links.create(wanted);
  assert.ok(url?.startsWith(`${base}/s/`), `${url}`);
  const visitor = new Visitor(service.client, at.replace('/app', ''));
  const [cookie = ''] = (await visitor.enter('x')).headers.getSetCookie();
  assert.ok(cookie.endsWith(`; Path=${at}; HttpOnly; SameSite=Strict; Secure`), cookie);
  const tus = new TusClient(service.client.base, album);
  const { location = '' } = (await tus.create(10)).headers;
  assert.ok(location.startsWith(`${base}/api/v1/users/`), location);
});
