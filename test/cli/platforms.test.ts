import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { userInfo } from 'node:os';
import { v7 as uuidv7 } from 'uuid';
import { imgstore } from '../../testkit/command.js';
import { commandsOn } from '../../testkit/commands-on.js';
import { eventually } from '../../testkit/eventually.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import type { CreatedPlatform, CreatedUser, TokenPair } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';

const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const serving = await serve(scope, home);

const { run, done, failed } = commandsOn(home);
const statusOf = async (token: string, id: string): Promise<string | number> => {
  const { status, error } = await serving.client.get(`/api/v1/users/${id}`, {
    as: ['User', token],
  });
  return error?.code ?? status;
};

const newPlatform = (name: string): Promise<CreatedPlatform> =>
  done<CreatedPlatform>('platform', 'create', '--name', name);
const newUser = (platform: CreatedPlatform, name: string): Promise<CreatedUser> =>
  done('user', 'create', '--platform', platform.id, '--platform-user-id', name);

describe('platforms and users from the terminal', () => {
  test('a platform is renamed; its name stays unique', async () => {
    const platform = await newPlatform('agency');
    const user = await newUser(platform, 'kim');
    await newPlatform('taken');
    const renamed = await done<{ platform: string }>(
      'platform',
      'rename',
      platform.id,
      '--name',
      ' travel ',
    );
    assert.equal(renamed.platform, 'travel');
    const taken = await failed('platform', 'rename', platform.id, '--name', 'taken');
    assert.deepEqual([taken.exit_code, taken.setting], [1, '--name']);
    assert.equal((await failed('platform', 'rename', platform.id, '--name', ' ')).exit_code, 2);
    assert.equal(await statusOf(user.access_token, user.user_id), 200, 'its tokens still work');
    // Renaming revokes nothing and is not treated as a revocation.
    const { sign_ins } = await done<{ sign_ins: number }>('platform', 'show', platform.id);
    assert.equal(sign_ins, 2);
  });

  test('a platform and a user are suspended, and resume with the same tokens', async () => {
    const platform = await newPlatform('pausing');
    const user = await newUser(platform, 'kim');
    const shown = async () =>
      (await done<{ state: string }>('platform', 'show', platform.id)).state;
    await done('platform', 'suspend', platform.id);
    await done('platform', 'suspend', platform.id);
    assert.deepEqual(
      [await statusOf(user.access_token, user.user_id), await shown()],
      ['platform_suspended', 'suspended'],
    );
    const people = await run('platform', 'resume', platform.id);
    assert.match(people.stdout, /pausing {2}resumed: its tokens work again/);
    await done('user', 'suspend', user.user_id);
    assert.deepEqual(
      [await statusOf(user.access_token, user.user_id), await shown()],
      ['user_suspended', 'active'],
    );
    const { suspended_at } = await done<{ suspended_at: string }>('user', 'show', user.user_id);
    assert.match(suspended_at, /^\d{8}_\d{6}$/);
    await done('user', 'resume', user.user_id);
    assert.equal(await statusOf(user.access_token, user.user_id), 200);
  });

  test('limits are set, shown, kept, and removed', async () => {
    const platform = await newPlatform('limited');
    await newUser(platform, 'kim');
    const limit = (...flags: string[]) =>
      done<{ limits: object }>('platform', 'limit', platform.id, ...flags);
    const none = { storage_mb: null, images: null, users: null };
    assert.deepEqual((await limit()).limits, none);
    assert.deepEqual((await limit('--users', '1')).limits, { ...none, users: 1 });
    const both = await limit('--storage-mb', '1.5');
    assert.deepEqual(both.limits, { ...none, storage_mb: 1.5, users: 1 });
    const create = ['user', 'create', '--platform', platform.id, '--platform-user-id', 'lee'];
    const refused = await failed(...create);
    assert.equal(refused.code, 'platform_limit_exceeded');
    assert.deepEqual((await limit('--users', 'none', '--storage-mb', 'none')).limits, none);
    for (const wrong of ['-1', 'many', '', '1.5', '1e300']) {
      const error = await failed('platform', 'limit', platform.id, '--images', wrong);
      assert.deepEqual([error.exit_code, error.setting], [2, '--images'], wrong);
    }
  });

  test('a quota can exceed what users may set themselves', async () => {
    const user = await newUser(await newPlatform('of much'), 'kim');
    const quota = (...mb: string[]) =>
      done<{ max_storage_mb: number }>('user', 'quota', user.user_id, ...mb);
    assert.equal((await quota('20480.5')).max_storage_mb, 20_480.5);
    assert.equal((await quota()).max_storage_mb, 20_480.5);
    for (const wrong of ['0', 'much']) {
      assert.equal((await failed('user', 'quota', user.user_id, wrong)).exit_code, 2, wrong);
    }
  });

  test('tokens are inspected from a file or stdin', async () => {
    const platform = await newPlatform('inspected');
    const user = await newUser(platform, 'kim');
    const file = join(home.dir, 'token');
    const inspect = async (token: string) => {
      await writeFile(file, token);
      return done<Record<string, unknown>>('token', 'inspect', file);
    };
    const access = await inspect(user.access_token);
    assert.deepEqual(
      [access.kind, access.scope, access.platform_id, access.user_id, access.state, access.works],
      ['access', 'user', platform.id, user.user_id, 'valid', true],
    );
    const [key] = await done<{ id: string; signs: boolean }[]>('keys', 'list');
    assert.deepEqual(key, { ...key, id: access.key, signs: true, revoked_at: null });
    const lifetime = Date.parse(String(access.expires_at)) - Date.parse(String(access.issued_at));
    assert.equal(lifetime, 24 * 3_600_000);
    const ran = await imgstore(['token', 'inspect', '--home', home.dir], {
      input: `Platform ${platform.refresh_token}\n`,
    });
    assert.match(ran.stdout, new RegExp(`^refresh token of platform ${platform.id}, which works`));
    const changed = `${user.access_token.slice(0, -2)}xx`;
    await writeFile(file, changed);
    const forged = await failed('token', 'inspect', file);
    assert.deepEqual([forged.exit_code, /not a token of this/.test(forged.message)], [1, true]);
    await writeFile(file, ' ');
    assert.equal((await failed('token', 'inspect', file)).exit_code, 2);
    assert.equal((await failed('token', 'inspect', `${file}-away`)).exit_code, 1);
  });

  test('a user is deleted after confirmation', async () => {
    const created = await newUser(await newPlatform('of one user'), 'kim');
    const { user_id: id, access_token: token } = created;
    assert.deepEqual((await failed('user', 'delete', id)).setting, '--yes');
    assert.deepEqual(await done('user', 'delete', id, '--yes'), {
      user_id: id,
      deleted_folders: 0,
      deleted_images: 0,
    });
    assert.equal(await statusOf(token, id), 'token_revoked');
    assert.equal((await failed('user', 'delete', id, '--yes')).exit_code, 1);
  });

  test('every command reports unknown ids', async () => {
    for (const unknown of ['nope', uuidv7()]) {
      for (const args of [
        ['platform', 'rename', unknown, '--name', 'x'],
        ...['suspend', 'resume', 'limit', 'show'].map((word) => ['platform', word, unknown]),
        ['platform', 'delete', unknown, '--confirm', 'x'],
        ...['suspend', 'resume', 'show', 'quota'].map((word) => ['user', word, unknown]),
      ]) {
        const { exit_code, message } = await failed(...args);
        assert.deepEqual([exit_code, /^No such (user|platform)\.$/.test(message)], [1, true]);
      }
    }
  });
});

describe('jobs from the terminal', () => {
  test('are listed and run, and their runs are shown', async () => {
    const jobs = await done<{ name: string; when: string }[]>('jobs', 'list');
    assert.ok(jobs.some(({ name, when }) => name === 'reclaim objects' && when === '* * * * *'));
    const ran = await done<{ job: string; result: object }>('jobs', 'run', 'reclaim-objects');
    assert.deepEqual([ran.job, ran.result], ['reclaim objects', { deleted: 0, failed: 0 }]);
    const [listed] = (await done<{ name: string; last_ended_at: string }[]>('jobs', 'list')).filter(
      ({ name }) => name === ran.job,
    );
    assert.ok(listed?.last_ended_at);
    await eventually('it has rolled up the statistics', async () => {
      const runs = await done<{ job: string; error: null }[]>('jobs', 'history');
      return runs.some(({ job, error }) => job === 'roll up statistics' && error === null);
    });
    const wrong = await failed('jobs', 'run', 'reclaim-object');
    assert.deepEqual([wrong.exit_code, wrong.setting], [2, 'name']);
    assert.match(wrong.message, /reclaim-objects/);
  });
});

describe('audit', () => {
  interface Entry {
    readonly act: string;
    readonly actor: string;
    readonly operator: string | null;
    readonly token_id: string | null;
    readonly platform_id: string | null;
    readonly user_id: string | null;
  }
  const audit = (...flags: string[]) => done<Entry[]>('audit', ...flags);
  const withContent = (...flags: string[]) => audit('--changes', ...flags);

  test('shows what operators did, and who they were', async () => {
    const platform = await newPlatform('audited');
    const { user_id: id } = await newUser(platform, 'kim');
    await done('platform', 'rename', platform.id, '--name', 'audited again');
    await done('platform', 'suspend', platform.id);
    await done('platform', 'resume', platform.id);
    await done('platform', 'limit', platform.id, '--users', '7');
    await done('user', 'suspend', id);
    await done('user', 'resume', id);
    await done('user', 'quota', id, '7');
    await done('user', 'delete', id, '--yes');
    await done('jobs', 'run', 'reclaim-objects');
    const acts = (await audit('--platform', platform.id)).filter(({ operator }) => operator);
    const newestFirst = ['user.delete', 'user.quota', 'user.resume', 'user.suspend'];
    newestFirst.push('platform.limit', 'platform.resume', 'platform.suspend', 'platform.rename');
    newestFirst.push('user.create', 'platform.create');
    assert.deepEqual(
      acts.map(({ act }) => act),
      newestFirst,
    );
    assert.deepEqual([...new Set(acts.map(({ operator }) => operator))], [userInfo().username]);
    assert.ok((await audit()).some(({ act }) => act === 'job.run'));
    const few = ['audit', '--platform', platform.id, '--limit', '3'];
    const [header = '', ...lines] = (await run(...few)).stdout.trimEnd().split('\n');
    assert.match(header, /^TIME \(UTC\) .*WHO/);
    assert.equal(lines.length, 4);
    assert.match(lines[3] ?? '', /--changes adds uploads/);
    assert.equal((await run(...few, '--changes')).stdout.trimEnd().split('\n').length, 4);
  });

  test('shows the token of every change, including those of administrators and platforms', async () => {
    const admin = await done<TokenPair>('admin', 'token');
    const { client } = serving;
    const made = await client.post<CreatedPlatform>('/api/v1/platforms', {
      as: ['Admin', admin.access_token],
    });
    const { id, access_token: token } = made.result;
    const one = await client.post<CreatedUser>(`/api/v1/platforms/${id}/users`, {
      as: ['Platform', token],
      form: { platform_user_id: 'one' },
    });
    const { user_id: userId, access_token: ofUser } = one.result;
    const folders = `/api/v1/users/${userId}/folders`;
    await client.post(folders, { as: ['User', ofUser], form: { title: 'by token' } });
    await client.put(`/api/v1/users/${userId}`, {
      as: ['User', ofUser],
      form: { max_storage_mb: '5' },
    });
    await client.delete(`/api/v1/users/${userId}`, { as: ['User', ofUser] });
    const idOf = (jwt: string): string => {
      const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
      return (JSON.parse(payload) as { jti: string }).jti;
    };
    const entries = (await withContent('--platform', id)).reverse();
    assert.deepEqual(
      entries.map(({ act, actor, token_id }) => [act, actor, token_id]),
      [
        ['platform.create', 'admin', idOf(admin.access_token)],
        ['user.created', 'platform', idOf(token)],
        ['folder.created', 'user', idOf(ofUser)],
        ['user.updated', 'user', idOf(ofUser)],
        ['user.deleted', 'user', idOf(ofUser)],
      ],
    );
    const withoutFolder = entries.filter(({ act }) => act !== 'folder.created').reverse();
    assert.deepEqual(await audit('--platform', id), withoutFolder);
    assert.equal((await audit('--user', userId)).length, 3);
    const ofOne = await withContent('--user', userId, '--since', '1h');
    assert.equal(ofOne.length, 4);
    assert.deepEqual(await audit('--user', userId, '--since', '2099-01-01'), []);
  });

  test('reports invalid flags', async () => {
    for (const [flag, value] of [
      ['--since', 'yesterday'],
      ['--since', '7x'],
      ['--limit', '0'],
      ['--platform', 'nope'],
    ] as const) {
      const { exit_code, setting } = await failed('audit', flag, value);
      assert.deepEqual([exit_code, setting], [2, flag]);
    }
  });
});
