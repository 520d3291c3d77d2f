import assert from 'node:assert/strict';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { done, refused, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Folder, User } from '../../testkit/records.js';
import type { Member, World } from '../../testkit/world.js';

/** Says that very much is coming, sends a little, and waits for the answer. */
function announce(world: World, user: Member, bytes: number): Promise<number> {
  const url = new URL(`/api/v1/users/${user.id}/images`, world.client.base);
  const headers = {
    authorization: `User ${user.token}`,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': String(bytes),
  };
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? secureRequest : request;
    const call = open(url, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode ?? 0);
      call.destroy();
    });
    call.once('error', reject);
    call.write('--b\r\n');
  });
}

export const errors = area('wire and errors', (check) => {
  check('getUser', '§2 an address outside the interface is 404 not_found', async (world) => {
    refused(await world.client.get('/api/v1/nowhere'), 404, 'not_found');
  });

  check('listFolders', '§2 another method is 405 with Allow', async (world) => {
    const user = await world.user();
    const answer = await user.delete('/folders');
    refused(answer, 405, 'method_not_allowed');
    assert.match(answer.headers.get('allow') ?? '', /\bGET\b.*\bPOST\b|\bPOST\b.*\bGET\b/);
  });

  check('createFolder', '§2 another media type is 415', async (world) => {
    const user = await world.user();
    const address = new URL(`/api/v1/users/${user.id}/folders`, world.client.base);
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization: `User ${user.token}`, 'content-type': 'text/plain' },
      body: 'title=a',
    });
    assert.equal(answer.status, 415);
  });

  check(
    'uploadImage',
    '§2 a body over the limit is 413, refused before it comes',
    async (world) => {
      assert.equal(await announce(world, await world.user(), 2 ** 40), 413);
    },
  );

  check('createFolder', '§2 JSON that is none, or no object, is 400', async (world) => {
    const user = await world.user();
    for (const body of ['{"title":', '[1]', 'null']) {
      const address = new URL(`/api/v1/users/${user.id}/folders`, world.client.base);
      const answer = await fetch(address, {
        method: 'POST',
        headers: { authorization: `User ${user.token}`, 'content-type': 'application/json' },
        body,
      });
      assert.equal(answer.status, 400, body);
    }
  });

  check('getImage', '§2 hostile addresses are refused, never a 5xx', async (world) => {
    const user = await world.user();
    for (const id of ['%00', '%ff', '%', '..%2f..', "'; DROP TABLE images; --", 'é'.repeat(2000)]) {
      const address = `/api/v1/users/${user.id}/images/${id}`;
      const as = ['User', user.token] as const;
      const { status } = await world.client.raw('GET', address, { as });
      assert.ok(status >= 400 && status < 500, `${status} for ${id}`);
    }
  });

  check('createFolder', '§1.2 multipart, urlencoded and JSON bodies alike', async (world) => {
    const user = await world.user();
    const fields = (title: string) => ({ title, parent_id: ' ' });
    for (const call of [
      { form: fields('multipart') },
      { urlencoded: fields('urlencoded') },
      { json: fields('json') },
    ]) {
      done(await user.call('POST', '/folders', call));
    }
    assert.equal(done(await user.get<Folder[]>('/folders')).length, 3);
  });

  check(
    'createFolder',
    '§1.2 parameters of the body are taken from the query, too',
    async (world) => {
      const user = await world.user();
      const query = { title: 'from the query' };
      assert.equal(done(await user.call<Folder>('POST', '/folders', { query })).title, query.title);
    },
  );

  check('createFolder', '§1.2 unknown fields and parameters are ignored', async (world) => {
    const user = await world.user();
    const form = { title: 'a', colour: 'red' };
    done(await user.call('POST', '/folders', { form, query: { utm: '1' } }));
  });

  check('getUser', '§1.5 a slash at the end changes nothing', async (world) => {
    const user = await world.user();
    assert.deepEqual(done(await user.get('/')), done(await user.get('')));
  });

  check('getUser', '§1.6 ids are UUIDv7 in lower case; upper case is understood', async (world) => {
    const user = await world.user();
    assert.match(user.id, uuidV7);
    const address = `/api/v1/users/${user.id.toUpperCase()}`;
    const as = ['User', user.token] as const;
    assert.equal(done(await world.client.get<User>(address, { as })).id, user.id);
  });

  check('getUser', '§1.11 X-Request-Id is echoed, or made', async (world) => {
    const user = await world.user();
    const headers = { 'x-request-id': 'check-1.11' };
    const echoed = await user.call('GET', '', { headers });
    assert.equal(echoed.headers.get('x-request-id'), 'check-1.11');
    assert.ok((await user.get('')).headers.get('x-request-id'));
  });

  check('getUser', '§2 the document lists every code', async (world) => {
    const answer = await world.client.raw('GET', '/openapi.json');
    const document = (await answer.json()) as {
      components: { schemas: { ErrorCode: { enum: string[] } } };
    };
    const missing = codes.filter((c) => !document.components.schemas.ErrorCode.enum.includes(c));
    assert.deepEqual(missing, []);
  });
});

/** The codes that section 2 names. */
const codes = `missing_field invalid_field invalid_cursor platform_exists user_exists user_not_found
  folder_not_found folder_exists folder_cycle folder_too_deep folder_in_trash image_not_found
  image_in_trash memo_not_found custom_not_found unsupported_image image_too_large corrupt_image
  storage_quota_exceeded upload_too_large upload_interrupted unauthorized token_expired
  token_revoked forbidden not_found method_not_allowed rate_limited unavailable
  internal_error`.split(/\s+/);
