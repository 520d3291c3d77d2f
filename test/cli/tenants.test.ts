import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { commandsOn } from '../../testkit/commands-on.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import type { CreatedPlatform, CreatedUser, TokenPair } from '../../testkit/records.js';
import { serve } from '../../testkit/appliance.js';

const stamp = /^\d{8}_\d{6}$/;

const { home } = await initializedHome({ after });
const serving = await serve({ after }, home);

describe('tokens, platforms, and users from the terminal, alongside a running service', () => {
  let platform: CreatedPlatform;
  let user: CreatedUser;

  const { run, done, failed } = commandsOn(home);
  const status = async (token: string, as: 'Admin' | 'Platform' | 'User', path: string) =>
    (await serving.client.get(path, { as: [as, token] })).status;
  const platformStatus = (token: string) =>
    status(token, 'Platform', `/api/v1/platforms/${platform.id}/users/`);
  const userStatus = (token: string) =>
    status(token, 'User', `/api/v1/users/${user.user_id}/images/count`);

  test('admin token issues a token that the API accepts', async () => {
    const now = Date.now();
    const token = await done<TokenPair & { expires_at: string }>('admin', 'token');
    assert.deepEqual(Object.keys(token).sort(), [
      'access_token',
      'expires_at',
      'refresh_token',
      'token_type',
    ]);
    const hours = (Date.parse(token.expires_at) - now) / 3_600_000;
    assert.ok(hours > 11.9 && hours < 12.1, `12 hours, not ${hours}`);
    assert.equal(await status(token.access_token, 'Admin', '/api/v1/platforms/'), 200);
    const { stdout } = await run('admin', 'token');
    assert.equal(await status(stdout.trim(), 'Admin', '/api/v1/platforms/'), 200);
  });

  test('platform create prints the creation record of the interface', async () => {
    platform = await done<CreatedPlatform>('platform', 'create', '--name', 'travel agency');
    assert.deepEqual(Object.keys(platform).sort(), [
      'access_token',
      'created_at',
      'id',
      'platform',
      'refresh_token',
      'token_type',
      'updated_at',
    ]);
    assert.equal(platform.platform, 'travel agency');
    assert.equal(platform.token_type, 'bearer');
    assert.match(platform.created_at, stamp);
    assert.equal(await platformStatus(platform.access_token), 200);
    const again = await failed('platform', 'create', '--name', 'travel agency');
    assert.equal(again.exit_code, 1);
    assert.equal(again.code, 'platform_exists');
    assert.equal((await failed('platform', 'create', '--name', ' travel agency ')).exit_code, 1);
    for (const wrong of ['x'.repeat(256), '', '  ', '\t']) {
      const { exit_code, setting } = await failed('platform', 'create', '--name', wrong);
      assert.deepEqual([exit_code, setting], [2, '--name']);
    }
  });

  test('user create prints the creation record of the interface', async () => {
    const create = ['user', 'create', '--platform', platform.id, '--platform-user-id'];
    user = await done<CreatedUser>(...create, 'kim');
    assert.deepEqual(Object.keys(user).sort(), [
      'access_token',
      'platform_id',
      'platform_user_id',
      'refresh_token',
      'token_type',
      'user_id',
    ]);
    assert.equal(user.platform_id, platform.id);
    assert.equal(user.platform_user_id, 'kim');
    assert.equal(await userStatus(user.access_token), 200);
    assert.equal((await failed(...create, 'kim')).exit_code, 1);
    assert.equal((await failed(...create, ' ')).exit_code, 2);
    const nowhere = ['user', 'create', '--platform', 'nope', '--platform-user-id', 'kim'];
    assert.equal((await failed(...nowhere)).code, 'platform_not_found');
  });

  test('the lists include them, as JSON and as text', async () => {
    const platforms = await done<{ id: string; user_count: number }[]>('platform', 'list');
    assert.deepEqual(
      platforms.map((p) => [p.id, p.user_count]),
      [[platform.id, 1]],
    );
    const users = await done<{ id: string }[]>('user', 'list', '--platform', platform.id);
    assert.deepEqual(
      users.map((u) => u.id),
      [user.user_id],
    );
    const { stdout } = await run('platform', 'list');
    assert.match(stdout, /^ID {36}USERS {2}PLATFORM\n/);
    assert.ok(stdout.endsWith(`\n${platform.id}  1      travel agency\n`), stdout);
  });

  test('tokens can be reissued, but only for platforms and users that exist', async () => {
    const forPlatform = await done<TokenPair>('platform', 'token', platform.id);
    assert.equal(await platformStatus(forPlatform.access_token), 200);
    const forUser = await done<TokenPair>('user', 'token', user.user_id);
    assert.equal(await userStatus(forUser.access_token), 200);
    assert.equal((await failed('platform', 'token', user.user_id)).exit_code, 1);
    for (const unknown of ['nope', uuidv7()]) {
      for (const args of [
        ['user', 'token', unknown],
        ['user', 'list', '--platform', unknown],
        ['platform', 'token', unknown],
        ['platform', 'revoke', unknown, '--yes'],
        ['trash', 'list', '--platform', unknown],
        ['trash', 'list', '--user', unknown],
        ['trash', 'empty', '--user', unknown, '--yes'],
        ['verify', 'accounts', '--platform', unknown],
      ]) {
        const { exit_code, code, remedy } = await failed(...args);
        assert.equal(exit_code, 1, args.join(' '));
        assert.ok(['user_not_found', 'platform_not_found'].includes(code ?? ''), code);
        assert.match(remedy ?? '', /^imgstore (user|platform) list/);
      }
    }
  });

  test('keys rotate keeps old tokens valid, --revoke-old revokes them at once', async () => {
    const { kid } = await done<{ kid: string; revoked_old: boolean }>('keys', 'rotate');
    assert.match(kid, /^[0-9a-f-]{36}$/);
    assert.equal(await userStatus(user.access_token), 200);
    const { access_token: newer } = await done<TokenPair>('user', 'token', user.user_id);
    const unsure = await failed('keys', 'rotate', '--revoke-old');
    assert.deepEqual([unsure.exit_code, unsure.setting], [2, '--yes']);
    assert.equal(await userStatus(newer), 200);
    const revoked = await done<{ ended_sign_ins: number }>(
      'keys',
      'rotate',
      '--revoke-old',
      '--yes',
    );
    // Two of the administrator, two of the platform, three of the user.
    assert.equal(revoked.ended_sign_ins, 7);
    assert.equal(await userStatus(user.access_token), 401);
    assert.equal(await userStatus(newer), 401);
    const { access_token: newest } = await done<TokenPair>('user', 'token', user.user_id);
    assert.equal(await userStatus(newest), 200);
  });

  test('platform revoke revokes the tokens of the platform and of its users at once', async () => {
    const { access_token: ofUser } = await done<TokenPair>('user', 'token', user.user_id);
    const { access_token: ofPlatform } = await done<TokenPair>('platform', 'token', platform.id);
    assert.equal(await platformStatus(ofPlatform), 200);
    const revoke = ['platform', 'revoke', platform.id];
    assert.equal((await failed(...revoke)).exit_code, 2);
    assert.equal(await platformStatus(ofPlatform), 200);
    const answer = await done<unknown>(...revoke, '--yes');
    // Those issued since the keys were rotated: two of the user, one of the platform.
    assert.deepEqual(answer, { id: platform.id, revoked: true, ended_sign_ins: 3 });
    const { stdout } = await run(...revoke, '--yes');
    assert.match(stdout, /^0 sign-ins ended: all tokens of platform /);
    assert.equal(await platformStatus(ofPlatform), 401);
    assert.equal(await userStatus(ofUser), 401);
    const { access_token: fresh } = await done<TokenPair>('user', 'token', user.user_id);
    assert.equal(await userStatus(fresh), 200);
  });

  test('migrate --status lists, migrate has nothing to do', async () => {
    const { migrations } = await done<{ migrations: { name: string; applied_at: string }[] }>(
      'migrate',
      '--status',
    );
    assert.ok(migrations.length >= 1);
    for (const { applied_at } of migrations) assert.ok(Date.parse(applied_at) > 0);
    assert.deepEqual((await done<{ applied: string[] }>('migrate')).applied, []);
  });

  test('status shows where it is running, on what, and its usage', async () => {
    const all = ['user', 'list', '--platform', platform.id];
    const [one] = await done<{ id: string; platform_id: string }[]>(...all);
    const target = ['--platform', platform.id, '--user-id', one?.id ?? ''];
    const hold = await done<{ id: string }>('hold', 'create', ...target, '--reason', 'file 118');
    const reported = await done<Record<string, unknown>>('status');
    assert.deepEqual(reported.holds, { lasting: 1, oldest: [hold] });
    assert.equal(reported.address, serving.url);
    assert.equal(reported.pid, serving.pid);
    assert.equal(reported.home, home.dir);
    assert.equal(reported.ready, true);
    assert.equal(reported.database, 'external');
    assert.deepEqual(reported.counts, { platforms: 1, users: 1, images: 0, stored_mb: 0 });
    assert.ok((reported.disk as { free_mb: number }).free_mb > 0);
    assert.match(String(reported.heif_decoder), /^(bundled|FFmpeg \(libavcodec \d+\.)/);
    const people = await run('status');
    assert.match(people.stdout, new RegExp(`^running +${serving.url} `));
    assert.match(people.stdout, /^version +imgstore \d+\.\d+\.\d+\S*, up \d+ (second|minute)/m);
    assert.match(people.stdout, /^database +external, PostgreSQL \d+\.\d+$/m);
    assert.match(people.stdout, /^disk +[\d.,]+ [GT]B of [\d.,]+ [GT]B free$/m);
    assert.match(people.stdout, /^contents +1 platform, 1 user, 0 images, 0 bytes$/m);
    assert.match(people.stdout, /^holds +\S+ {2}user \S+ {2}since \S+ by admin, .*: file 118$/m);
    assert.match(people.stdout, /^(jobs +| +)roll up statistics: done .* ago$/m);
    const jobs = reported.jobs as { job: string; ended_at: string; error: string | null }[];
    assert.deepEqual(
      jobs.map(({ error }) => error),
      jobs.map(() => null),
    );
    await serving.end();
    const stopped = await failed('status');
    assert.equal(stopped.exit_code, 1);
    assert.equal(stopped.remedy, `imgstore serve --home ${home.dir}`);
  });
});
