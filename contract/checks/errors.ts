import assert from 'node:assert/strict';
import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { done, refused, uuidV7 } from '../../testkit/expect.js';
import { area } from '../harness.js';
import type { Folder, User } from '../../testkit/records.js';
import type { Member, World } from '../../testkit/world.js';

/** Announces a very large body, sends a little of it, and waits for the response. */
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
  check('getUser', '§2.5 a path outside the interface is 404 not_found', async (world) => {
    const { id } = await world.user();
    for (const path of ['/api', '/api/v1', '/api/v1/nowhere', `/api/v1/users/${id}/nowhere`]) {
      refused(await world.client.get(path), 404, 'not_found');
    }
  });

  for (const [method, path, allow] of [
    ['PUT', '/api/v1/platforms', 'GET, HEAD, POST'],
    ['POST', '/api/v1/platforms/:id/info', 'GET, HEAD'],
    ['PATCH', '/api/v1/users/:id/', 'DELETE, GET, HEAD, PUT'],
    ['DELETE', '/api/v1/users/:id/folders', 'GET, HEAD, POST'],
    ['GET', '/api/v1/auth/refresh', 'POST'],
    // These would also match /images/{image_id}.
    ['GET', '/api/v1/users/:id/images/share', 'POST'],
    ['PUT', '/api/v1/users/:id/images/count', 'GET, HEAD'],
    ['PUT', '/api/v1/users/:id/images/group/', 'GET, HEAD'],
  ] as const) {
    check('document', `§2.6 ${method} ${path} is 405 with Allow`, async (world) => {
      const { id } = await world.user();
      const answer = await world.client.request(method, path.replace(':id', id));
      refused(answer, 405, 'method_not_allowed');
      assert.equal((answer.headers.get('allow') ?? '').split(', ').sort().join(', '), allow);
    });
  }

  check(
    'uploadImage',
    '§2.7 a body over the limit is 413, before it has been received',
    async (world) => {
      assert.equal(await announce(world, await world.user(), 2 ** 40), 413);
    },
  );

  check('getImage', '§2.13 hostile paths are rejected, never a 5xx', async (world) => {
    const user = await world.user();
    for (const id of ['%00', '%ff', '%', '..%2f..', "'; DROP TABLE images; --", 'é'.repeat(2000)]) {
      const path = `/api/v1/users/${user.id}/images/${id}`;
      const as = ['User', user.token] as const;
      const { status } = await world.client.raw('GET', path, { as });
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

  check('createFolder', '§1.2 body parameters are also accepted in the query', async (world) => {
    const user = await world.user();
    const query = { title: 'from the query' };
    assert.equal(done(await user.call<Folder>('POST', '/folders', { query })).title, query.title);
  });

  check('createFolder', '§1.2 unknown fields and parameters are ignored', async (world) => {
    const user = await world.user();
    const form = { title: 'a', colour: 'red' };
    done(await user.call('POST', '/folders', { form, query: { utm: '1' } }));
  });

  check('getUser', '§1.5 a trailing slash makes no difference', async (world) => {
    const user = await world.user();
    assert.deepEqual(done(await user.get('/')), done(await user.get('')));
  });

  check('getUser', '§1.6 ids are lowercase UUIDv7; uppercase is accepted', async (world) => {
    const user = await world.user();
    assert.match(user.id, uuidV7);
    const path = `/api/v1/users/${user.id.toUpperCase()}`;
    const as = ['User', user.token] as const;
    assert.equal(done(await world.client.get<User>(path, { as })).id, user.id);
  });

  check('getUser', '§1.11 X-Request-Id is echoed, or generated', async (world) => {
    const user = await world.user();
    const headers = { 'x-request-id': 'check-1.11:a_b' };
    for (const as of [['User', user.token] as const, undefined]) {
      const echoed = await user.call('GET', '', { as, headers });
      assert.equal(echoed.headers.get('x-request-id'), 'check-1.11:a_b', 'of failures, too');
    }
    for (const given of [undefined, 'with space', 'x'.repeat(129)]) {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      const made = await user.call('GET', '', { headers });
      assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    }
  });

  check('getUser', '§2.13 malformed percent-encoding, and NUL, are 400', async (world) => {
    const { tenant } = await world.user();
    for (const id of ['%zz', '%', '%ff', '%c0%80', '%00']) {
      assert.equal((await tenant.call('GET', `/users/${id}`)).status, 400, id);
    }
    assert.equal((await tenant.call('GET', '/users?platform_user_id=a%00b')).status, 400);
    assert.ok((await tenant.call('GET', '/users?platform_user_id=%zz')).status < 500);
  });

  check('getUser', '§2.14 every JSON answer is private and has nosniff', async (world) => {
    const { id, token } = await world.user();
    const as = ['User', token] as const;
    for (const [path, call] of [
      [`/api/v1/users/${id}`, { as }],
      [`/api/v1/users/${id}/images`, { as }],
      [`/api/v1/users/${id}/images`, {}],
      ['/nothing', {}],
      ['/files/x', {}],
      ['/livez', {}],
      ['/readyz', {}],
    ] as const) {
      const { headers } = await world.client.raw('GET', path, call);
      assert.match(headers.get('content-type') ?? '', /^application\/json/, path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    }
  });

  for (const path of [
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
    '/openapi.json',
  ]) {
    check('document', `§2.14 ${path} may be cached, and is revalidated cheaply`, async (world) => {
      const first = await world.client.raw('GET', path);
      await first.arrayBuffer();
      assert.match(first.headers.get('cache-control') ?? '', /no-cache|max-age/);
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
      assert.equal((await world.client.raw('GET', path, { headers })).status, 304);
    });
  }

  check('getUser', '§2.12 the document lists every code', async (world) => {
    const answer = await world.client.raw('GET', '/openapi.json');
    const document = (await answer.json()) as {
      components: { schemas: { ErrorCode: { enum: string[] } } };
    };
    const missing = codes.filter((c) => !document.components.schemas.ErrorCode.enum.includes(c));
    assert.deepEqual(missing, []);
  });
});

/** The codes that §2.12 names. */
const codes = `missing_field invalid_field invalid_cursor platform_exists user_exists user_not_found
  folder_not_found folder_exists folder_cycle folder_too_deep folder_in_trash image_not_found
  image_in_trash memo_not_found custom_not_found unsupported_image image_too_large
  image_too_complex corrupt_image too_many_memos too_many_customs too_much_text
  storage_quota_exceeded upload_too_large upload_interrupted unauthorized token_expired
  token_revoked forbidden not_found method_not_allowed rate_limited unavailable
  internal_error`.split(/\s+/);
