import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { column, onlyValue, rows } from '../../src/database/sql.js';
import type { Answer, Call, Caller } from '../../testkit/client.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { filePart } from '../../testkit/pictures.js';
import { Random } from '../../testkit/random.js';
import type { Scope } from '../../testkit/scope.js';
import { picture, type Member, type Tenant } from '../../testkit/world.js';
import { answered, openTarget, type Target } from './target.js';

// Whatever may delete for good is tried on what is held, by everybody, while the service is killed. Nothing of it
// goes; and when the holds are released, all of it can go.

/** Attempts between two looks at what is held, and between two kills. */
const [lookEvery, killEvery] = [100, 1_000];
/** Of so many attempts, one is a command or a job. */
const commandEvery = 50;

/** One image in a folder in a folder, edited, with a memo and a custom, all of it in the trash. */
interface Held {
  readonly user: Member;
  readonly outer: string;
  readonly inner: string;
  readonly image: string;
  readonly memo: string;
  readonly custom: string;
  readonly hold: string;
  /** Of its objects. */
  readonly files: readonly string[];
}

const targets: readonly ((of: Omit<Held, 'hold' | 'files'>) => Record<string, string>)[] = [
  ({ image }) => ({ image_ids: image }),
  ({ inner }) => ({ folder_id: inner }),
  ({ outer }) => ({ folder_id: outer }),
  ({ user }) => ({ user_id: user.id }),
];

async function hold(target: Target, tenant: Tenant, n: number): Promise<Held> {
  const user = await tenant.user();
  const outer = (await user.folder('outer')).id;
  const inner = (await user.folder('inner', { id: outer })).id;
  const made = await answered(async () => user.tryUpload({ folder_id: inner }, await picture()));
  const image = done(made).id;
  const image_data = filePart(await picture());
  done(await answered(() => user.post(`/images/${image}/filedata`, { image_data })));
  const said = { message: 'a crack', is_client: 'False' };
  const { memos } = done(
    await user.post<{ memos: { id: string }[] }>(`/images/${image}/memos`, said),
  );
  const custom = await user.post<{ id: string }>(`/images/${image}/customs`, {
    key: 'k',
    value: 'v',
  });
  await user.put(`/images/${image}`, { delete: 'True' });
  await user.trashFolder({ id: outer });
  const of = { user, outer, inner, image, memo: memos[0]?.id ?? '', custom: done(custom).id };
  const form = { reason: 'claim', ...targets[n % targets.length]?.(of) };
  const { id } = done(await tenant.call<{ id: string }>('POST', '/holds', { form }));
  const found = await column<string>(
    target.db,
    `SELECT concat_ws('/', platform_id, user_id, image_id, id, 'original.' || extension)
     FROM image_versions WHERE image_id = $1`,
    [image],
  );
  const files = found.map((key) => join(target.serving.home.store, key));
  return { ...of, hold: id, files };
}

/** Tries to have something deleted. */
type Way = (held: Held, scene: Scene) => Promise<unknown>;

interface Scene {
  readonly target: Target;
  readonly tenant: Tenant;
  readonly name: string;
  readonly admin: Caller;
  readonly backup: string;
  /** Of a link to the folder. */
  readonly link: string;
}

/** A request by the user, by the platform, and by an administrator; what some of them may not send is refused. */
const asked = (
  method: string,
  path: (held: Held, scene: Scene) => string,
  call: (held: Held) => Call = () => ({}),
): Way[] =>
  (['User', 'Platform', 'Admin'] as const).map((scheme) => (held, scene) => {
    const { tenant, admin } = scene;
    const tokens = { User: held.user.token, Platform: tenant.token, Admin: admin[1] };
    const as = [scheme, tokens[scheme]] as const;
    const send = (): Promise<Answer<unknown>> =>
      tenant.client.request(method, path(held, scene), { as, ...call(held) });
    return answered(send);
  });

const ofUser =
  (path: (held: Held) => string) =>
  (held: Held): string =>
    `/api/v1/users/${held.user.id}${path(held)}`;

const sql =
  (text: string, values: (held: Held) => readonly unknown[] = () => []): Way =>
  (held, { target }) =>
    rows(target.db, text, [...values(held)]).catch(() => undefined);

const image = ({ image: id }: Held): string[] => [id];

const ways: readonly Way[] = [
  ...asked(
    'DELETE',
    ofUser(({ image: id }) => `/trash/${id}`),
  ),
  ...asked(
    'DELETE',
    ofUser(() => '/trash'),
  ),
  ...asked(
    'DELETE',
    ofUser(({ outer }) => `/folders/${outer}`),
  ),
  ...asked(
    'DELETE',
    ofUser(({ inner }) => `/folders/${inner}`),
  ),
  ...asked(
    'DELETE',
    ofUser(() => ''),
  ),
  ...asked(
    'DELETE',
    ofUser(({ image: id, memo }) => `/images/${id}/memos/${memo}`),
  ),
  ...asked(
    'DELETE',
    ofUser(({ image: id, custom }) => `/images/${id}/customs/${custom}`),
  ),
  ...asked(
    'PUT',
    ofUser(({ image: id, memo }) => `/images/${id}/memos/${memo}`),
    () => ({ form: { message: 'no crack' } }),
  ),
  ...asked(
    'PUT',
    ofUser(({ image: id, custom }) => `/images/${id}/customs/${custom}`),
    () => ({ form: { value: 'w' } }),
  ),
  ...asked(
    'POST',
    ofUser(() => '/images/batch'),
    ({ image: id }) => ({ json: { image_ids: [id], purge: true } }),
  ),
  ...asked('DELETE', ({ user }) => `/api/v1/platforms/${user.platformId}/users/${user.id}`),
  ...asked('DELETE', ({ user }) => `/api/v1/platforms/${user.platformId}`),
  ...asked('DELETE', ({ image: id }, { link }) => `${link}/images/${id}`),
  ...asked('DELETE', ({ image: id }, { link }) => `${link}/trash/${id}`),
  sql('DELETE FROM images WHERE id = $1', image),
  sql('DELETE FROM image_versions WHERE image_id = $1', image),
  sql('DELETE FROM image_versions WHERE image_id = $1 AND version = 0', image),
  sql('UPDATE images SET user_id = gen_random_uuid() WHERE id = $1', image),
  sql('DELETE FROM memos WHERE image_id = $1', image),
  sql('DELETE FROM customs WHERE image_id = $1', image),
  sql('DELETE FROM folders WHERE id = $1', ({ inner }) => [inner]),
  sql('UPDATE folders SET deleting_at = now() WHERE id = $1', ({ outer }) => [outer]),
  sql('DELETE FROM users WHERE id = $1', ({ user }) => [user.id]),
  sql('DELETE FROM platforms WHERE id = $1', ({ user }) => [user.platformId]),
  sql('UPDATE platforms SET deleting_at = now() WHERE id = $1', ({ user }) => [user.platformId]),
  ...['images', 'image_versions', 'memos', 'customs', 'folders', 'users', 'platforms'].map(
    (table) => sql(`TRUNCATE ${table} CASCADE`),
  ),
];

const commanded =
  (args: (held: Held, scene: Scene) => readonly string[]): Way =>
  (held, scene) =>
    scene.target.serving.command([...args(held, scene), '--json']);

const commands: readonly Way[] = [
  commanded(({ user }) => ['trash', 'empty', '--user', user.id, '--yes']),
  commanded(() => ['trash', 'empty', '--yes']),
  commanded(({ user }) => ['user', 'delete', user.id, '--yes']),
  commanded((_, { tenant, name }) => ['platform', 'delete', tenant.id, '--confirm', name]),
  commanded(() => ['verify', '--repair', '--yes']),
  commanded(() => ['quarantine', 'purge', '--older-than', '1h', '--yes']),
  commanded(() => ['store', 'clear', '--from', 'local', '--yes']),
  commanded(() => ['store', 'migrate', '--to', 'local', '--yes']),
  commanded((_, { backup }) => ['restore', backup]),
  commanded(() => ['jobs', 'run', 'expire trash']),
  commanded(() => ['jobs', 'run', 'reclaim objects']),
  commanded(() => ['jobs', 'run', 'finish large changes']),
];

export interface HeldFast {
  readonly attempts: number;
  readonly kills: number;
  /** Things of what was held. */
  readonly held: number;
  readonly gone: readonly string[];
  /** What could not be deleted once the holds were released. */
  readonly left: readonly string[];
}

export async function tryToDelete(
  scope: Scope,
  attempts: number,
  report: (line: string) => void,
): Promise<HeldFast> {
  const target = await openTarget(scope, [
    '--trash-retention-days',
    '1',
    '--store-deletion-delay-hours',
    '0',
  ]);
  const { serving, db } = target;
  const tenant = await serving.world.platform();
  const held: Held[] = [];
  for (let n = 0; n < 2 * targets.length; n += 1) held.push(await hold(target, tenant, n));
  await rows(db, `UPDATE images SET deleted_at = deleted_at - interval '40 days'`);
  await rows(db, `UPDATE folders SET deleted_at = deleted_at - interval '40 days'`);
  const scene = await prepare(target, tenant, held);
  const random = new Random(26);
  const gone = new Set<string>();
  let kills = 0;
  const kill = Math.min(killEvery, Math.ceil(attempts / 2));
  for (let n = 1; n <= attempts; n += 1) {
    const way = random.of(n % commandEvery === 0 ? commands : ways) as Way;
    const attempt = way(random.of(held) as Held, scene);
    if (n % kill === 0) {
      await serving.kill();
      await serving.restart();
      kills += 1;
    }
    await attempt;
    if (n % lookEvery > 0 && n < attempts) continue;
    for (const one of held) for (const what of await missing(target, one)) gone.add(what);
    if (n % 1_000 === 0) report(`${n} attempts, ${kills} kills, ${gone.size} gone`);
  }
  const things = held.reduce((sum, one) => sum + 7 + one.files.length, 0);
  const left = await release(target, tenant, held);
  return { attempts, kills, held: things, gone: [...gone], left };
}

async function prepare(target: Target, tenant: Tenant, held: readonly Held[]): Promise<Scene> {
  const { serving, db, folder } = target;
  const backup = join(folder, 'backup');
  const ran = await serving.command(['backup', backup, '--json']);
  if (ran.code !== 0) throw new Error(`no backup: ${ran.stdout}`);
  const name = await onlyValue<string>(db, 'SELECT name FROM platforms WHERE id = $1', [tenant.id]);
  const [{ user } = { user: serving.user }] = held;
  const { id: folder_id } = await user.folder('shown');
  const made = await user.call<{ url: string }>('POST', '/links', {
    json: { kind: 'view', folder_id },
  });
  const link = new URL(done(made).url).pathname;
  const admin = serving.world.as;
  return { target, tenant, name, admin, backup, link };
}

/** What of it is gone, or not what it was. */
async function missing({ db }: Target, held: Held): Promise<string[]> {
  const { image: id, memo, custom, inner, outer, user, files } = held;
  const found = await rows<{ what: string }>(
    db,
    `SELECT what FROM (VALUES
       ('image', EXISTS (SELECT FROM images WHERE id = $1)),
       ('versions', (SELECT count(*) FROM image_versions WHERE image_id = $1) = 2),
       ('memo', EXISTS (SELECT FROM memos WHERE id = $2 AND message = 'a crack')),
       ('custom', EXISTS (SELECT FROM customs WHERE id = $3 AND value = 'v')),
       ('folders', (SELECT count(*) FROM folders WHERE id IN ($4, $5) AND deleting_at IS NULL) = 2),
       ('user', EXISTS (SELECT FROM users WHERE id = $6)),
       ('platform', EXISTS (SELECT FROM platforms WHERE id = $7 AND deleting_at IS NULL))
     ) AS looked (what, is_there) WHERE NOT is_there`,
    [id, memo, custom, inner, outer, user.id, user.platformId],
  );
  const lost: string[] = [];
  for (const file of files) await access(file).catch(() => lost.push(file));
  return [...found.map(({ what }) => `the ${what} of ${id}`), ...lost];
}

/** Once the holds are released, all of it can be deleted. @returns what cannot. */
async function release(
  { serving, db }: Target,
  tenant: Tenant,
  held: readonly Held[],
): Promise<string[]> {
  const left: string[] = [];
  for (const { hold: id } of held) {
    const { status } = await answered(() => tenant.call('DELETE', `/holds/${id}`));
    if (status !== 200) left.push(`the hold ${id}: ${status}`);
  }
  for (const { user } of held) {
    const { status, error } = await answered(() => user.delete(''));
    if (status !== 200) left.push(`the user ${user.id}: ${error?.code}`);
  }
  await eventually('all of it is gone', async () => {
    await serving.command(['jobs', 'run', 'reclaim objects', '--json']);
    const counts = await rows<{ n: number }>(
      db,
      `SELECT count(*)::int AS n FROM held UNION ALL SELECT count(*)::int FROM images WHERE platform_id = $1
       UNION ALL SELECT count(*)::int FROM object_reclaim`,
      [tenant.id],
    );
    return counts.every(({ n }) => n === 0);
  }).catch((error: unknown) => left.push(String(error)));
  for (const file of held.flatMap(({ files }) => files)) {
    await access(file).then(
      () => left.push(file),
      () => undefined,
    );
  }
  return left;
}
