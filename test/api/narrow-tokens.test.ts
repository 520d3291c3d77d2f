import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ServiceError } from '../../src/base/errors/catalogue.js';
import { rows } from '../../src/database/sql.js';
import { eventually } from '../../testkit/eventually.js';
import { done, nobody, refused } from '../../testkit/expect.js';
import { Issuer } from '../../testkit/issuer.js';
import { filePart, jpeg } from '../../testkit/pictures.js';
import { testService } from '../../testkit/service.js';
import type { Member, Tenant } from '../../testkit/world.js';
import type { Image, Page } from '../../testkit/records.js';

const service = await testService();
const { client } = service;

/** What each operation needs, by hand: `full` is what no narrow token may. */
const table: Readonly<Record<string, string>> = {
  read: 'imageAddresses readAudit readPlatformAudit getStatus listUsers getPlatformUser getUser listAccounts getPlatformUserInfo getUserInfo imageDays createArchive getArchive createLedger getLedger groupImages groupImagesPaged countImages getImage getProof getLogCheckpoint getLogKey getLogTile listImages exportImages imageChoices listPlatformImages listPlatformUserImages listFolders folderContents getAllStatistics listMemos listCustoms listPlatforms getPlatform getPlatformLimits getPlatformInfo listChanges getSnapshot listPlatformChanges getMapTile getMapTileJson getMapClusters getPlatformMapTile getPlatformMapTileJson getPlatformMapClusters',
  upload:
    'uploadImage addFiledata checkImages getUpload createUpload getUploadOffset appendToUpload deleteUpload createUploadSet listUploadSets getUploadSet deleteUploadSet',
  change:
    'shareImages changeImages updateImage createFolder updateFolder createMemo updateMemo deleteMemo createCustom updateCustom deleteCustom',
  delete: 'deleteFolder emptyTrash deleteFromTrash',
  links: 'createLink listLinks getLink updateLink deleteLink',
  users: 'createUser suspendUser resumeUser',
  platforms: 'createPlatform suspendPlatform resumePlatform',
  statistics: 'getDailyStatistics getTotalStatistics',
  webhooks:
    'listWebhooks getWebhook listDeliveries deleteWebhook rotateWebhook pauseWebhook resumeWebhook',
  'webhooks read': 'createWebhook updateWebhook',
  full: 'createHold listHolds getHold releaseHold updateUser deleteUser refreshToken exchangeConsoleCode signOut createToken listTokens getToken deleteToken createPlatformToken listPlatformTokens getPlatformToken deletePlatformToken setIdentity getIdentity deleteIdentity renewConsoleSession createSignIn listSessions endSessions endSession',
  '': 'describeUploads describeUpload visitLink enterPassword listLinkImages createLinkArchive getLinkArchive sendLinkImage listArrivedImages describeLinkUploads createLinkUpload describeLinkUpload getLinkUploadOffset appendToLinkUpload deleteLinkUpload',
};
const needsOf = new Map(
  Object.entries(table).flatMap(([words, ids]) => ids.split(' ').map((id) => [id, words])),
);

const wordsOf = {
  User: ['read', 'upload', 'change', 'delete', 'links'],
  Platform: ['read', 'upload', 'change', 'delete', 'links', 'users', 'webhooks', 'statistics'],
  Admin: ['read', 'platforms'],
} as const;
type Kind = keyof typeof wordsOf;

interface Described {
  readonly operationId: string;
  readonly 'x-allow': readonly string[] | 'full';
  readonly 'x-allow-fields'?: unknown;
  readonly security: readonly Partial<Record<Kind, unknown>>[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ path, method: method.toUpperCase(), ...one })),
  );
let operations: ReturnType<typeof operationsOf>;

/** A narrow token. */
interface Narrow {
  readonly id: string;
  readonly name: string;
  readonly access_token: string;
}

let user: Member;
let platform: Tenant;
let picture: Image;
describe('narrow tokens', () => {
  before(async () => {
    const answer = await fetch(`${service.service.url}/openapi.json`);
    operations = operationsOf((await answer.json()) as Document);
    platform = await service.platform();
    user = await service.user(platform);
    const form = { image_data: filePart(await jpeg({ width: 32, height: 24 })) };
    picture = done(await client.post<Image>(user.images, { as: ['User', user.token], form }));
  });

  const tokensOf = (kind: Kind): string =>
    kind === 'User' ? `/api/v1/users/${user.id}/tokens` : `/api/v1/platforms/${platform.id}/tokens`;
  const ownerToken = (kind: Kind): string => (kind === 'User' ? user.token : platform.token);

  const ask = (kind: 'User' | 'Platform', form: Record<string, string>) =>
    client.post<Narrow>(tokensOf(kind), { as: [kind, ownerToken(kind)], form });

  /** A narrow token of the user, the platform, or an administrator. */
  async function narrow(
    kind: Kind,
    words: readonly string[],
    name = words.join(),
  ): Promise<Narrow> {
    const allow = words.join();
    if (kind !== 'Admin') return done(await ask(kind, { name, allow }));
    const { narrowTokens } = service.service.tenants;
    const owner = { holder: {}, actor: 'admin' } as const;
    const wanted = { name, allow: [...words], expires_in_days: 1 };
    return narrowTokens.create(owner, wanted);
  }

  describe('the OpenAPI document', () => {
    test('says of every operation what the table says, and nothing else', () => {
      const said = operations.map(({ operationId, 'x-allow': allow }) => [
        operationId,
        typeof allow === 'string' ? allow : allow.join(' '),
      ]);
      assert.deepEqual(Object.fromEntries(said), Object.fromEntries(needsOf));
      const fields = operations.flatMap(({ operationId, 'x-allow-fields': its }) =>
        its === undefined ? [] : [[operationId, its]],
      );
      assert.deepEqual(Object.fromEntries(fields), {
        updateFolder: { delete: { True: ['delete'] } },
        updateImage: { delete: { True: ['delete'] } },
        changeImages: {
          delete: { True: ['change', 'delete'] },
          purge: { True: ['change', 'delete'] },
        },
        createLink: { kind: { view: ['links', 'read'], request: ['links', 'upload'] } },
        updateLink: {
          allow_download: { True: ['links', 'read'] },
          show_place: { True: ['links', 'read'] },
        },
      });
    });
  });

  /** Calls an operation on the own user and platform, without a body, on things that nobody has. */
  async function call(kind: Kind, one: ReturnType<typeof operationsOf>[number], token: string) {
    const owners: Readonly<Record<string, string>> =
      kind === 'Admin' ? {} : { '{platform_id}': platform.id, '{user_id}': user.id };
    const numbers = { '{z}': '0', '{x}': '0', '{y}': '0' };
    const ids: Readonly<Record<string, string>> = { ...owners, ...numbers };
    const path = one.path.replaceAll(/\{\w+\}/g, (name) => ids[name] ?? nobody);
    const response = await client.raw(one.method, path, { as: [kind, token] });
    const text = await response.text();
    if (response.status !== 403) return { status: response.status, code: undefined };
    if (one.method === 'HEAD') return { status: 403, code: 'not_allowed', needs: undefined };
    const { error } = JSON.parse(text) as { error: { code: string; details?: { needs: unknown } } };
    return { status: response.status, code: error.code, needs: error.details?.needs };
  }

  /** Calls every operation of the kind: the token may exactly what its words say. */
  async function refusesExactly(
    kind: Kind,
    words: readonly string[],
    token: string,
  ): Promise<void> {
    const taken = operations.filter(({ security }) => security.some((one) => kind in one));
    assert.ok(taken.length > 5);
    const wrong: string[] = [];
    for (const one of taken) {
      const said = needsOf.get(one.operationId) ?? '';
      const asAdmin = kind === 'Admin' && said === 'users' ? 'platforms' : said;
      const needs = asAdmin.split(' ');
      const may = needs.every((word) => words.includes(word));
      const { status, code, needs: told } = await call(kind, one, token);
      // Archives and ledgers have addresses of their own, and none that are not signed.
      const signed = ['getArchive', 'getLedger'].includes(one.operationId);
      const noAddress = signed && code === 'forbidden';
      const isIn = noAddress || (status !== 401 && status !== 403);
      if (isIn !== may) wrong.push(`${one.operationId}: ${status} ${code ?? ''}`);
      else if (!may && code !== 'not_allowed') wrong.push(`${one.operationId}: ${code}`);
      else if (!may && told !== undefined) {
        assert.deepEqual(told, said === 'full' ? 'full' : needs, one.operationId);
      }
    }
    assert.deepEqual(wrong, []);
  }

  describe('every operation with every kind of narrow token', () => {
    for (const kind of ['User', 'Platform', 'Admin'] as const) {
      const sets = [...wordsOf[kind].map((word) => [word]), wordsOf[kind]];
      for (const words of sets) {
        test(`${kind}: ${words.join()}`, async () => {
          const { access_token: token } = await narrow(kind, words);
          await refusesExactly(kind, words, token);
        });
      }
    }
  });

  describe('every operation with a token of the platform’s identity provider', () => {
    for (const words of [...wordsOf.User.map((word) => [word]), wordsOf.User]) {
      test(words.join(), async () => {
        const issuer = await Issuer.of(`https://login.example/${words.join()}`);
        await issuer.identifies(client, platform, { allow: words.join() });
        await refusesExactly('User', words, await issuer.sign(user.record.platform_user_id));
      });
    }
  });

  const image = () => `${user.images}/${picture.id}`;

  describe('a narrow token', () => {
    test('moves to the trash with delete alone, and restores with change alone', async () => {
      const { access_token: deleting } = await narrow('User', ['delete']);
      const { access_token: changing } = await narrow('User', ['change']);
      const put = (token: string, form: Record<string, string>) =>
        client.put<Image>(image(), { as: ['User', token], form });
      refused(await put(changing, { delete: 'True' }), 403, 'not_allowed');
      refused(await put(changing, { delete: 'true', has_det: 'True' }), 403, 'not_allowed');
      const both = await put(deleting, { delete: 'True', has_det: 'True' });
      refused(both, 403, 'not_allowed');
      assert.deepEqual(both.error?.details, { needs: ['change'] });
      const query = await client.put(`${image()}?delete=True`, { as: ['User', changing] });
      refused(query, 403, 'not_allowed');
      const trashed = done(await put(deleting, { delete: 'True' }));
      assert.notEqual(trashed.delete_at, null);
      refused(await put(deleting, { delete: 'False' }), 403, 'not_allowed');
      assert.equal(done(await put(changing, { delete: 'False' })).delete_at, null);
    });

    test('that may not read gets no address of a file, nor by repeating with a key', async () => {
      const { access_token: token } = await narrow('User', ['upload', 'change']);
      const form = { image_data: filePart(await jpeg({ width: 24, height: 32 })) };
      const headers = { 'Idempotency-Key': 'of-both' };
      const send = (as: string) =>
        client.post<Image>(user.images, { as: ['User', as], form, headers });
      const whole = done(await send(user.token));
      assert.ok(whole.path_url && whole.full_url);
      for (const record of [
        done(await send(token)),
        done(await client.post<Image>(user.images, { as: ['User', token], form })),
        done(
          await client.post<Image>(`${image()}/memos`, {
            as: ['User', token],
            form: { message: 'seen', is_client: 'False' },
          }),
        ),
        done(
          await client.put<Image>(image(), {
            as: ['User', token],
            query: { with_history: 'True' },
          }),
        ),
      ]) {
        const { path_url, org_path_url, thumb_url, full_url } = record;
        assert.deepEqual([path_url, org_path_url, thumb_url, full_url], [null, null, null, null]);
      }
      const edit = { image_data: filePart(await jpeg({ width: 20, height: 20 })) };
      const edited = await client.post<Image>(`${image()}/filedata`, {
        as: ['User', token],
        form: edit,
      });
      const [version] = done(edited).filedatas ?? [];
      assert.equal(version?.path_url, null);
      const again = done(await send(user.token));
      assert.ok(again.path_url?.startsWith('http'));
    });

    test('gets no tokens: of a user it makes or finds, of a platform it makes', async () => {
      const { access_token: token } = await narrow('Platform', ['read', 'users']);
      const users = `/api/v1/platforms/${platform.id}/users`;
      const as = ['Platform', token] as const;
      const name = 'of a narrow token';
      const made = await client.post<Record<string, unknown>>(users, {
        as: [...as],
        form: { platform_user_id: name },
      });
      assert.equal(done(made).access_token, null);
      assert.equal(made.result.refresh_token, null);
      const found = await client.get<{ access_token: unknown }[]>(users, {
        as: [...as],
        query: { platform_user_id: name },
      });
      assert.deepEqual(
        done(found).map(({ access_token: its }) => its),
        [null],
      );
      const admin = await narrow('Admin', ['platforms']);
      const created = await client.post<Record<string, unknown>>('/api/v1/platforms', {
        as: ['Admin', admin.access_token],
      });
      assert.equal(done(created).access_token, null);
    });

    test('makes links to no more than it may', async () => {
      const links = `/api/v1/users/${user.id}/links`;
      const folder = done(
        await client.post<{ id: string }>(`/api/v1/users/${user.id}/folders`, {
          as: ['User', user.token],
          form: { title: 'opened' },
        }),
      ).id;
      const make = async (kind: string, words: readonly string[]) =>
        client.post<{ url: string | null }>(links, {
          as: ['User', (await narrow('User', words)).access_token],
          form: { kind, folder_id: folder },
        });
      const refusal = await make('view', ['links', 'upload']);
      refused(refusal, 403, 'not_allowed');
      assert.deepEqual(refusal.error?.details, { needs: ['links', 'read'] });
      refused(await make('request', ['links', 'read']), 403, 'not_allowed');
      const { url: view } = done(await make('view', ['links', 'read']));
      const { url: request } = done(await make('request', ['links', 'upload']));
      assert.ok(view !== null && request !== null);
      const shownTo = async (words: readonly string[]) => {
        const as = ['User', (await narrow('User', words)).access_token] as const;
        const { items } = done(await client.get<Page<{ url: string | null }>>(links, { as }));
        return items.map(({ url }) => url);
      };
      assert.deepEqual(await shownTo(['links']), [null, null]);
      assert.deepEqual(await shownTo(['links', 'read']), [null, view]);
      assert.deepEqual(await shownTo(['links', 'upload']), [request, null]);
    });

    test('touches nothing of another', async () => {
      const other = await service.user(platform);
      const { access_token: token } = await narrow('User', wordsOf.User);
      refused(await client.get(other.images, { as: ['User', token] }), 403, 'forbidden');
      const stranger = await service.user();
      const ofPlatform = await client.post(`/api/v1/users/${stranger.id}/tokens`, {
        as: ['Platform', platform.token],
        form: { name: 'x', allow: 'read' },
      });
      refused(ofPlatform, 400, 'user_not_found');
    });

    test('ends at once on every node when it is deleted, and with its platform’s tokens', async () => {
      const second = await service.secondNode();
      const made = await narrow('User', ['read']);
      const as = ['User', made.access_token] as const;
      const one = `${tokensOf('User')}/${made.id}`;
      done(await second.get(user.images, { as: [...as] }));
      done(await client.delete(one, { as: ['User', user.token] }));
      refused(await second.get(user.images, { as: [...as] }), 401, 'token_revoked');
      refused(await client.delete(one, { as: ['User', user.token] }), 400, 'token_not_found');

      const own = await service.platform();
      const token = done(
        await client.post<Narrow>(`/api/v1/platforms/${own.id}/tokens`, {
          as: ['Platform', own.token],
          form: { name: 'reports', allow: 'read' },
        }),
      );
      const get = () =>
        second.get(`/api/v1/platforms/${own.id}`, { as: ['Platform', token.access_token] });
      const { platforms, narrowTokens } = service.service.tenants;
      await platforms.suspend(own.id, true);
      refused(await get(), 403, 'platform_suspended');
      await platforms.suspend(own.id, false);
      done(await get());
      await platforms.revokeTokens(own.id);
      refused(await get(), 401, 'token_revoked');
      assert.deepEqual(
        await narrowTokens.list({ holder: { platformId: own.id }, actor: 'admin' }),
        [],
      );
    });

    test('is named by feed and audit, with the actor as ever', async () => {
      const { id, name, access_token: token } = await narrow('User', ['change'], 'field phone');
      const form = { title: 'named' };
      done(await client.post(`/api/v1/users/${user.id}/folders`, { as: ['User', token], form }));
      const feed = done(
        await client.get<{ changes: Record<string, unknown>[] }>(
          `/api/v1/users/${user.id}/changes`,
          {
            as: ['User', user.token],
            query: { limit: '1000' },
          },
        ),
      );
      const { actor, token: used } = feed.changes.at(-1) ?? {};
      assert.deepEqual([actor, used], ['user', { id, name }]);
      assert.ok(feed.changes.some((entry) => !('token' in entry)));
      const audit = done(
        await client.get<{ entries: Record<string, unknown>[] }>(
          `/api/v1/platforms/${platform.id}/audit`,
          { as: ['Platform', platform.token], query: { content: 'True', user_id: user.id } },
        ),
      ).entries;
      assert.deepEqual(audit[0]?.token, { id, name });
      const creation = audit.find(
        ({ act, details }) =>
          act === 'token.create' && (details as { token?: unknown }).token === id,
      );
      assert.deepEqual(creation?.details, { token: id, name, allow: ['change'] });
      assert.equal(creation?.token, null);
    });

    test('is listed with its last use, without itself, and by its id', async () => {
      const { access_token: token, ...made } = await narrow('User', ['upload', 'read'], 'listed');
      assert.deepEqual((made as unknown as { allow: string[] }).allow, ['read', 'upload']);
      done(await client.get(user.images, { as: ['User', token] }));
      const list = await client.get<Narrow[]>(tokensOf('User'), {
        as: ['Platform', platform.token],
      });
      const [newest] = done(list);
      assert.equal(newest?.id, made.id);
      assert.ok(newest && !('access_token' in newest));
      const one = await client.get<Narrow>(`${tokensOf('User')}/${made.id}`, {
        as: ['User', user.token],
      });
      assert.equal(done(one).name, 'listed');
    });

    for (const [wrong, field] of [
      [{ allow: 'read' }, 'name'],
      [{ name: 'x'.repeat(101), allow: 'read' }, 'name'],
      [{ name: 'x', allow: '' }, 'allow'],
      [{ name: 'x', allow: 'read,everything' }, 'allow'],
      [{ name: 'x', allow: 'webhooks' }, 'allow'],
      [{ name: 'x', allow: 'read', expires_in_days: '0' }, 'expires_in_days'],
      [{ name: 'x', allow: 'read', expires_in_days: '366' }, 'expires_in_days'],
    ] as const) {
      test(`is not made of ${JSON.stringify(wrong).slice(0, 60)}`, async () => {
        const answer = await ask('User', wrong);
        assert.equal(answer.status, 400);
        assert.equal(answer.error?.field, field);
      });
    }

    test('is not made for a user who is being deleted meanwhile', async () => {
      const own = await service.user(platform);
      const { narrowTokens } = service.service.tenants;
      const holder = { userId: own.id, platformId: platform.id };
      const wanted = { name: 'too late', allow: ['read' as const], expires_in_days: 1 };
      const making = await service.db.transaction(async (tx) => {
        await tx.query('DELETE FROM users WHERE id = $1', [own.id]);
        const refused = assert.rejects(
          narrowTokens.create({ holder, actor: 'platform' }, wanted),
          (error: ServiceError) => error.code === 'user_not_found',
        );
        const waits = `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE NOT l.granted AND a.datname = current_database()
            AND l.transactionid = pg_current_xact_id()::xid`;
        await eventually('it waits', async () => (await rows(tx, waits)).length > 0);
        return { refused };
      });
      await making.refused;
    });

    test('is one of at most 100 of its owner', async () => {
      const own = await service.user(platform);
      const { narrowTokens } = service.service.tenants;
      const holder = { userId: own.id, platformId: platform.id };
      const wanted = { name: 'one of many', allow: ['read' as const], expires_in_days: 1 };
      const make = () => narrowTokens.create({ holder, actor: 'admin' }, wanted);
      // Few at a time: more would wait for connections, and be refused when these come too late.
      for (let made = 0; made < 96; made += 6) await Promise.all(Array.from({ length: 6 }, make));
      const tries = await Promise.allSettled(Array.from({ length: 6 }, make));
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 4);
      assert.equal((await narrowTokens.list({ holder, actor: 'admin' })).length, 100);
    });
  });
});
