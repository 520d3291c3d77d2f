import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { assertAccounts } from '../../testkit/accounts.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import type { Image } from '../../testkit/records.js';
import { testService } from '../../testkit/service.js';

const service = await testService();
const album = await service.user();

test('an image trashed while its edit arrives rejects the edit', async () => {
  const { id } = await album.upload();
  const form = new FormData();
  form.append('image_data', filePart(await jpeg()), 'edit.jpg');
  const body = new Response(form);
  const sending = request(`${service.client.base}${album.images}/${id}/filedata`, {
    method: 'POST',
    headers: {
      authorization: `User ${album.token}`,
      'content-type': body.headers.get('content-type') ?? '',
      expect: '100-continue',
    },
  });
  sending.flushHeaders();
  // The server has checked that the image is not in the trash, and waits for the file.
  await once(sending, 'continue');
  assert.equal((await album.put<Image>(`/images/${id}`, { delete: 'True' })).status, 200);
  sending.end(Buffer.from(await body.arrayBuffer()));
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 400);
  assert.match(await text(answer), /"image_in_trash"/);
  assert.equal((await album.image(id)).filedata_total, 0);
  await assertAccounts(service);
});
