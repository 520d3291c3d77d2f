import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { IdentityRecord } from '../../src/http/auth/identity-schemas.js';
import { commandsOn } from '../../testkit/commands-on.js';
import { nobody } from '../../testkit/expect.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { Issuer, seconds } from '../../testkit/issuer.js';
import type { CreatedPlatform } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';

const scope = lastFirst({ after });
const { home } = await initializedHome(scope);
const { done, failed, run } = commandsOn(home, []);

interface Tested {
  readonly accepted: boolean;
  readonly steps: readonly string[];
  readonly refusal: { readonly code: string; readonly message: string } | null;
}

test('imgstore platform identity sets, shows, tests and removes', async () => {
  const { id } = await done<CreatedPlatform>('platform', 'create', '--name', 'p');
  const command = (name: string, ...words: readonly string[]) =>
    ['platform', 'identity', name, ...words] as const;
  await failed(...command('show', id));
  const issuer = await Issuer.of('https://login.example/');
  const file = join(home.dir, 'keys.json');
  await writeFile(file, issuer.jwks);
  const options = ['--issuer', issuer.name, '--audience', 'imgstore', '--jwks', file];
  const set = await done<IdentityRecord>(...command('set', id, ...options, '--allow', 'read'));
  assert.deepEqual([set.allow, set.jwks?.keys.length, set.create_users], [['read'], 1, false]);
  assert.deepEqual(await done(...command('show', id)), set);
  await failed(...command('set', nobody, ...options));
  await failed(...command('set', id, ...options.slice(0, 4)));

  await done('user', 'create', '--platform', id, '--platform-user-id', 'u');
  const good = await done<Tested>(...command('test', await issuer.sign('u')));
  assert.equal(good.accepted, true);
  assert.equal(good.steps.length, 6, good.steps.join('\n'));
  const tokenFile = join(home.dir, 'token.txt');
  await writeFile(tokenFile, await issuer.sign('u', { exp: seconds() + 10 ** 6 }));
  const refused = async (token: string): Promise<string> => {
    const { code, json } = await run(...command('test', token), '--json');
    assert.equal(code, 1);
    return json<Tested>().refusal?.message ?? '';
  };
  assert.match(await refused(tokenFile), /24 hours/);
  await done(...command('remove', id));
  assert.match(await refused(await issuer.sign('u')), /No platform/);
});
