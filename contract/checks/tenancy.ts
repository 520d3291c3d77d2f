import assert from 'node:assert/strict';
import type { Answer } from '../../testkit/client.js';
import type { Route } from '../document.js';
import { done, nobody, refused } from '../../testkit/expect.js';
import { area } from '../harness.js';
import { alsoForAdmins, alsoForPlatforms, operations } from '../../testkit/operations.js';
import type { Custom, Folder, Image } from '../../testkit/records.js';
import type { Member, World } from '../../testkit/world.js';

interface Victim {
  readonly user: Member;
  readonly folder: Folder;
  readonly image: Image;
  readonly custom: Custom;
}

/** One victim for all checks, since no attack may change it. */
interface Cast {
  readonly victim: Victim;
  readonly stranger: Victim;
  /** Another user of the victim's platform. */
  readonly sibling: Member;
  readonly before: unknown;
}

type Ids = Readonly<Record<string, string>>;

async function makeVictim(world: World): Promise<Victim> {
  const user = await (await world.platform()).user();
  const folder = await user.folder('private');
  const { id } = await user.upload({ folder_id: folder.id });
  const form = { message: 'private', is_client: 'True' };
  const image = done(await user.post<Image>(`/images/${id}/memos`, form));
  const custom = await user.post<Custom>(`/images/${id}/customs`, { key: 'k', value: 'v' });
  return { user, folder, image, custom: done(custom) };
}

async function gatherCast(world: World): Promise<Cast> {
  const [victim, stranger] = [await makeVictim(world), await makeVictim(world)];
  const sibling = await victim.user.tenant.user();
  return { victim, stranger, sibling, before: await stateOf(victim) };
}

const idsOf = ({ user, folder, image, custom }: Victim): Ids => ({
  platform_id: user.tenant.id,
  user_id: user.id,
  folder_id: folder.id,
  image_id: image.id,
  memo_id: image.memos?.[0]?.id ?? '',
  custom_id: custom.id,
  level: '0',
  index: '000.p/1',
  z: '0',
  x: '0',
  y: '0',
});

/** State that would differ if an attack had an effect. */
async function stateOf({ user, image }: Victim): Promise<unknown> {
  const { path_url, org_path_url, thumb_url, full_url, ...record } = await user.image(image.id, {
    with_memo: 'True',
    with_custom: 'True',
    with_history: 'True',
  });
  assert.ok(path_url && org_path_url && thumb_url && full_url);
  const info = done(await user.get('/info'));
  return [record, done(await user.get('/folders')), info, (await user.list()).total_count];
}

const body = {
  title: 'attack',
  message: 'attack',
  is_client: 'False',
  key: 'attack',
  value: 'attack',
  delete: 'True',
  platform_user_id: 'attack',
  max_storage_mb: '1',
  kind: 'view',
  name: 'attack',
  allow: 'read',
};

const query = { bbox: '-180,-90,180,90', zoom: '0', format: 'csv' };

/** Sends a plausible request to the route. */
function attack(
  world: World,
  { method, path }: Route,
  ids: Ids,
  as?: readonly ['Admin' | 'Platform' | 'User', string],
): Promise<Answer<unknown>> {
  const fullPath = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? nobody);
  const form = ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : body;
  const call = { as, form, ...(!form && { query }) };
  if (method !== 'HEAD') return world.client.request(method, fullPath, call);
  return statusOnly(world.client.raw(method, fullPath, call));
}

/** An answer without a body, as though it had said in it what its status says. */
async function statusOnly(answer: Promise<Response>): Promise<Answer<null>> {
  const { status, headers } = await answer;
  const code = status === 401 ? 'unauthorized' : 'forbidden';
  const error = { code, message: code };
  return { status, headers, status_code: status, message: code, result: null, error };
}

const innerIds = ['folder_id', 'image_id', 'memo_id', 'custom_id'];
const gatedBy = (path: string) => innerIds.filter((name) => path.includes(`{${name}}`));

/** Every route with every type of foreign token. */
export const tenancy = (routes: readonly Route[]) =>
  area('tenancy', (check) => {
    let cast: Promise<Cast> | undefined;
    const castIn = (world: World): Promise<Cast> => (cast ??= gatherCast(world));
    for (const route of routes) {
      const { operation, method, path } = route;
      if (!operation) {
        check('document', `§2.15 ${method} ${path} has checks`, async () => {
          assert.fail('the suite does not know this route; add it to operations.ts with checks');
        });
        continue;
      }
      const scheme = operations[operation][2];
      if (scheme === 'none' || operation === 'signOut') continue; // of its own token alone
      check(
        operation,
        '§2.4 rejects missing, wrong, and foreign tokens; nothing changes',
        async (world) => {
          const { victim, stranger, sibling, before } = await castIn(world);
          const ids = idsOf(victim);

          const bare = await attack(world, route, ids);
          refused(bare, 401, 'unauthorized');
          assert.match(bare.headers.get('www-authenticate') ?? '', new RegExp(`^${scheme}\\b`));
          const also = alsoForPlatforms.has(operation);
          if (also) {
            const other: Credential = ['Platform', stranger.user.tenant.token];
            refused(await attack(world, route, ids, other), 400, 'user_not_found');
          }
          const allowed = [
            scheme,
            ...(also ? ['Platform'] : []),
            ...(alsoForAdmins.has(operation) ? ['Admin'] : []),
          ];
          for (const as of wrongKinds(world, victim, scheme, allowed)) {
            refused(await attack(world, route, ids, as), 401, 'unauthorized');
          }
          const ofUser = scheme === 'Platform' && path.startsWith('/api/v1/users/');
          const [status, code] = ofUser
            ? ([400, 'user_not_found'] as const)
            : ([403, 'forbidden'] as const);
          for (const as of foreign(scheme, stranger, sibling)) {
            refused(await attack(world, route, ids, as), status, code);
            const unknown = { ...ids, platform_id: nobody, user_id: nobody };
            refused(await attack(world, route, unknown, as), status, code);
          }
          if (scheme === 'User' && gatedBy(path).length > 0) {
            const mixed = { ...ids, user_id: stranger.user.id };
            const answer = await attack(world, route, mixed, ['User', stranger.user.token]);
            refused(answer, 400, ['folder_not_found', 'image_not_found']);
          }
          assert.deepEqual(await stateOf(victim), before);
        },
      );

      if (!path.includes('{memo_id}') && !path.includes('{custom_id}')) continue;
      check(operation, "§2.2 another user's note on one's own image is unknown", async (world) => {
        const { victim, stranger, before } = await castIn(world);
        const mixed = {
          ...idsOf(stranger),
          memo_id: idsOf(victim).memo_id ?? '',
          custom_id: victim.custom.id,
        };
        const answer = await attack(world, route, mixed, ['User', stranger.user.token]);
        refused(answer, 400, ['memo_not_found', 'custom_not_found']);
        assert.deepEqual(await stateOf(victim), before);
      });
    }
  });

type Credential = readonly ['Admin' | 'Platform' | 'User', string];

/** Tokens of the right owner but of another type, and with another scheme word. */
function wrongKinds(
  world: World,
  { user }: Victim,
  scheme: string,
  allowed: readonly string[],
): Credential[] {
  const tokens: Credential[] = [
    ['Admin', world.adminToken],
    ['Platform', user.tenant.token],
    ['User', user.token],
  ];
  const others = tokens.filter(([word]) => word !== scheme);
  const words = others.filter(([word]) => !allowed.includes(word));
  return [...words, ...others.map(([, token]) => [scheme, token] as Credential)];
}

/** Tokens of the right type from other owners: another platform, its user, another user. */
function foreign(scheme: string, stranger: Victim, sibling: Member): Credential[] {
  if (scheme === 'Platform') return [['Platform', stranger.user.tenant.token]];
  if (scheme !== 'User') return [];
  return [
    ['User', stranger.user.token],
    ['User', sibling.token],
  ];
}
