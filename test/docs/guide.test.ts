import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { jpeg } from '../../testkit/pictures.js';
import { IdentityProvider } from '../../testkit/identity-provider.js';
import { loopbackIdentities } from '../../testkit/issuer.js';
import { ownService } from '../../testkit/service.js';
import { stepsOf, valueAt, type Step } from './guide/page.js';
import { abridged, assertShape } from './guide/shape.js';

// Also run by `npm run guide`, which sets the variable and thereby updates the shown answers.
const renew = process.env.IMGSTORE_RENEW_GUIDE === '1';

// With a provider on this machine, whose key set is not read otherwise.
const service = await ownService({ after }, loopbackIdentities);
const provider = await IdentityProvider.start({ after });
const { base } = service.client;
const work = await mkdtemp(join(tmpdir(), 'imgstore-guide-'));
after(() => rm(work, { recursive: true, force: true }));
// Small, since it is uploaded a dozen times.
const picture = await jpeg({ width: 640, height: 480 });
for (const name of ['photo.jpg', 'edited.jpg']) await writeFile(join(work, name), picture);

/** The variables of a reader before the first command of a page. */
async function beginning(): Promise<Record<string, string>> {
  const platform = await service.platform();
  const user = await service.user(platform);
  return {
    IMGSTORE: base,
    ADMIN_TOKEN: await service.adminToken(),
    PLATFORM_ID: platform.id,
    PLATFORM_TOKEN: platform.token,
    USER_ID: user.id,
    USER_TOKEN: user.token,
    ISSUER: provider.issuer,
    THEIR_TOKEN: await provider.token('surveyor-17'),
  };
}

/** Without values that nobody should copy: tokens, and the URL of this server. */
const printable = (text: string): string =>
  text
    .replaceAll(base, 'http://127.0.0.1:8080')
    .replaceAll(provider.issuer, 'https://login.example.com')
    .replaceAll(/eyJ[\w.-]+/g, '<TOKEN>')
    .replaceAll(/sig=[\w-]+/g, 'sig=<SIGNATURE>');

/** @returns the answer to show now. */
async function take({ command, answer, kept }: Step, known: Record<string, string>) {
  const script = ['-euc', `cd ${work}\n${command}`];
  const { code, stdout, output } = await run('bash', script, { env: known });
  assert.equal(code, 0, `${command}\n${output}`);
  if (answer === undefined) return undefined;
  const actual: unknown = JSON.parse(stdout);
  const shown: unknown = JSON.parse(answer);
  if (!renew) assertShape(shown, actual, command);
  for (const [variable, path] of kept) known[variable] = String(valueAt(actual, path));
  return printable(`${JSON.stringify(abridged(shown, actual), null, 2)}\n`);
}

for (const name of await readdir('docs/api')) {
  const file = join('docs/api', name);
  const page = await readFile(file, 'utf8');
  test(`${file}: each command is answered as shown`, async () => {
    const known = await beginning();
    let written = page;
    const steps = stepsOf(page);
    assert.ok(steps.length > 0);
    for (const step of steps) {
      const answer = await take(step, known);
      if (answer !== undefined) written = written.replace(step.answer ?? '', () => answer);
    }
    if (renew) await writeFile(file, written);
  });
}
