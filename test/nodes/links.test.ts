import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { ownService } from '../../testkit/service.js';
import type { Member, Tenant } from '../../testkit/world.js';

const service = await ownService({ after });
const { keyring, platforms, tokens, users } = service.service.tenants;
const nodes = [service.client, await service.secondNode()];
const picture = await jpeg({ width: 64, height: 48 });

/** A user with one picture. */
async function photographer(platform?: Tenant): Promise<Member & { path: string }> {
  const user = await service.user(platform);
  const { id } = done(
    await service.client.post<{ id: string }>(user.images, {
      as: ['User', user.token],
      form: { image_data: filePart(picture), latitude: '37.5', longitude: '127' },
    }),
  );
  return Object.assign(user, { path: `${user.images}/${id}` });
}

/** The signed URL of the file, without the node's address. */
async function fileUrl({ path, token }: { path: string; token: string }, node = 0) {
  const record = done(await nodes[node]!.get<{ path_url: string }>(path, { as: ['User', token] }));
  const { pathname, search } = new URL(record.path_url);
  return pathname + search;
}

/** How each node answers, whatever the form of the request. */
const statuses = async (url: string): Promise<number[]> => {
  const forms: RequestInit[] = [
    {},
    { headers: { 'if-none-match': '*' } },
    { headers: { range: 'bytes=0-1' } },
    { method: 'HEAD' },
  ];
  const asked = nodes.flatMap(({ base }) => forms.map((form) => fetch(base + url, form)));
  const answers = await Promise.all(asked);
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.map(({ status }) => status);
};

const given = [200, 304, 206, 200, 200, 304, 206, 200];
const refused = given.map(() => 403);

const isRefused = (url: string): Promise<void> =>
  eventually('every node refuses the URL', async () => {
    const found = await statuses(url);
    return found.every((status) => status === 403);
  });

describe('signed URLs of files, on two nodes,', () => {
  test('end while their user is suspended, and nobody else’s do', async () => {
    const platform = await service.platform();
    const [user, other] = [await photographer(platform), await photographer(platform)];
    const [url, others] = [await fileUrl(user), await fileUrl(other)];
    assert.equal(await fileUrl(user, 1), url, 'the same within a window, on every node');
    assert.deepEqual(await statuses(url), given);
    await users.suspend(user.id, true);
    await isRefused(url);
    const answer = await fetch(nodes[1]!.base + url);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    assert.equal(error.code, 'forbidden');
    assert.match(error.message, /suspended or revoked/);
    assert.deepEqual(await statuses(others), given);
    // The platform still sees the user's images, by URLs of its own.
    const seen = done(
      await service.client.get<{ items: { path_url: string }[] }>(
        `/api/v1/platforms/${platform.id}/users/${user.id}/images`,
        { as: ['Platform', platform.token] },
      ),
    );
    const { pathname, search } = new URL(seen.items[0]?.path_url ?? '');
    assert.equal(pathname, url.slice(0, url.indexOf('?')));
    assert.deepEqual(await statuses(pathname + search), given);
    assert.deepEqual(await statuses(url), refused);
    await users.suspend(user.id, false);
    await eventually('the URL works again', async () => (await statuses(url))[0] === 200);
  });

  test('end when the tokens of their platform are revoked; those for new tokens work at once', async () => {
    const platform = await service.platform();
    const user = await photographer(platform);
    const url = await fileUrl(user);
    await tokens.revokePlatform(platform.id);
    const { access_token: token } = await users.issueTokens(user.id);
    const fresh = await fileUrl({ ...user, token }, 1);
    assert.notEqual(fresh, url);
    assert.deepEqual(await statuses(fresh), given);
    await isRefused(url);
    assert.deepEqual(await statuses(fresh), given);
    assert.equal(await fileUrl({ ...user, token }, 0), fresh, 'again the same within the window');
  });

  test('end while their platform is suspended', async () => {
    const platform = await service.platform();
    const user = await photographer(platform);
    const url = await fileUrl(user);
    await platforms.suspend(platform.id, true);
    await isRefused(url);
  });
});

describe('links to tiles', () => {
  const tileUrl = async (user: Member, token = user.token): Promise<string> => {
    const answer = await service.client.raw('GET', `/api/v1/users/${user.id}/map/tilejson`, {
      as: ['User', token],
    });
    const { tiles } = (await answer.json()) as { tiles: string[] };
    const { pathname, search } = new URL((tiles[0] ?? '').replace('{z}/{x}/{y}', '0/0/0'));
    return pathname + search;
  };
  const codes = (url: string) =>
    Promise.all(
      nodes.map(async ({ base }) => {
        const answer = await fetch(base + url);
        if (answer.ok) return answer.status;
        return ((await answer.json()) as { error: { code: string } }).error.code;
      }),
    );

  test('end with the tokens of their platform; those for new tokens work', async () => {
    const platform = await service.platform();
    const user = await photographer(platform);
    const url = await tileUrl(user);
    assert.deepEqual(await codes(url), [200, 200]);
    await tokens.revokePlatform(platform.id);
    assert.deepEqual(await codes(url), ['forbidden', 'forbidden']);
    const { access_token: token } = await users.issueTokens(user.id);
    assert.deepEqual(await codes(await tileUrl(user, token)), [200, 200]);
    assert.deepEqual(await codes(url), ['forbidden', 'forbidden']);
  });

  test('end while their user is suspended; the platform sees the map', async () => {
    const platform = await service.platform();
    const user = await photographer(platform);
    const url = await tileUrl(user);
    await users.suspend(user.id, true);
    assert.deepEqual(await codes(url), ['user_suspended', 'user_suspended']);
    const own = await service.client.raw('GET', `/api/v1/users/${user.id}/map/0/0/0.mvt`, {
      as: ['Platform', platform.token],
    });
    assert.equal(own.status, 200);
    await users.suspend(user.id, false);
    assert.deepEqual(await codes(url), [200, 200]);
  });
});

test('guesses of codes for the console touch neither the database nor a right code', async () => {
  const { client, service: running } = service;
  const sign = (code: string) => client.post('/api/v1/auth/console', { form: { code } });
  const right = await running.tenants.consoleSignIn.makeCode();
  const bytes = Buffer.from(right, 'base64url');
  const guess = (at: number): string => {
    const other = Buffer.from(bytes);
    other[at]! ^= 1;
    return other.toString('base64url');
  };
  const guesses = [
    ...Array.from({ length: 200 }, () => randomBytes(48).toString('base64url')),
    ...[0, 31, 32, 47].map(guess),
    right.slice(0, 43),
    `${right}A`,
  ];
  const holder = service.db.createQueryRunner();
  await holder.startTransaction();
  // Whatever asks for a code has to wait now.
  await holder.query('LOCK TABLE console_codes IN ACCESS EXCLUSIVE MODE');
  try {
    for (const { status, error } of await Promise.all(guesses.map(sign))) {
      assert.deepEqual([status, error?.code], [401, 'unauthorized']);
    }
  } finally {
    await holder.rollbackTransaction();
    await holder.release();
  }
  const signedIn = await sign(right);
  assert.equal(signedIn.status, 200);
  assert.equal(
    (signedIn.result as { expires_in: number }).expires_in,
    12 * 60 * 60,
    'a working day',
  );
  assert.equal((await sign(right)).status, 401, 'only once');
});

test('revoked keys end all links: to files, to tiles, and to the console', async () => {
  const user = await photographer();
  const url = await fileUrl(user);
  const code = await service.service.tenants.consoleSignIn.makeCode();
  await keyring.rotate({ revokeOld: true });
  const sign = (form: { code: string }) => service.client.post('/api/v1/auth/console', { form });
  assert.equal((await sign({ code })).error?.code, 'unauthorized');
  assert.equal(
    (await sign({ code: await service.service.tenants.consoleSignIn.makeCode() })).status,
    200,
  );
  await isRefused(url);
  const { access_token: token } = await users.issueTokens(user.id);
  assert.deepEqual(await statuses(await fileUrl({ ...user, token })), given);
});
