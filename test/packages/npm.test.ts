import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../src/base/os/run.js';
import { imgstore, newHome } from '../../testkit/command.js';
import { testDatabase } from '../../testkit/database.js';
import { longForm } from '../../testkit/long-form.js';
import { filePart } from '../../testkit/pictures.js';
import { version } from '../../src/base/installed-files.js';
import { serve } from '../../testkit/appliance.js';

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const root = process.cwd();

async function npm(...args: string[]): Promise<string> {
  const { code, stdout, output } = await run('npm', args, {
    env: { npm_config_prefix: undefined },
  });
  assert.equal(code, 0, output);
  return stdout;
}

const dir = await mkdtemp(join(tmpdir(), 'imgstore-npm-'));
after(() => rm(dir, { recursive: true, force: true }));
const [packed] = JSON.parse(
  await npm('pack', root, '--json', '--ignore-scripts', '--pack-destination', dir),
) as [Packed];

/** All files that may be in the package. */
const belongs = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^bin\/(imgstore|explain-missing\.js)$/,
  /^dist\/bundle\/(NOTICES\.txt|NotoSansKR-Regular\.ttf|sRGB\.icc|commit|(chunks\/)?[\w.-]+\.js)$/,
  /^assets\/(formats\/)?sample\.\w+$/,
  /^assets\/(docs\/(index\.html|start\.js)|landing\.css)$/,
  /^dist\/console\/((index|link|check)\.html|(offline|background)\.js|manifest\.webmanifest|assets\/[\w.-]+\.(m?js|css|svg|json))(\.br|\.gz)?$/,
  /^docs\/(interface\/)?[\w-]+\.(md|svg)$/,
  /^man\/imgstore\.1$/,
  /^migrations\/(from-0\.3\.0|(tables|rules)\/\w+)\.sql$/,
  /^packaging\/monitoring\/[\w/-]+\.(yml|json)$/,
  /^systemd\/imgstore(@\.service|\.service|\.slice)$/,
];

test('the npm package contains exactly what is needed to run', () => {
  const { files, size } = packed;
  const paths = files.map(({ path }) => path);
  assert.deepEqual(
    paths.filter((path) => !belongs.some((pattern) => pattern.test(path))),
    [],
  );
  for (const path of ['bin/imgstore', 'dist/bundle/imgstore.js', 'dist/bundle/NOTICES.txt']) {
    assert.ok(paths.includes(path), path);
  }
  // A third is the font of ledgers, a third the console, each of its files plain and compressed twice.
  assert.ok(size < 9_000_000, `${size} bytes`);
});

test('packing builds first, without a database; the client also in a fresh clone', async () => {
  const scriptsIn = async (folder: string) =>
    (
      JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>;
      }
    ).scripts;
  const { prepack, build } = await scriptsIn('.');
  assert.equal(prepack, 'node scripts/setup.mjs --build-only');
  assert.equal(build, prepack, 'which builds nothing that is built');
  const client = await scriptsIn('clients/typescript');
  assert.equal(client.prepack, 'npm run build');
  assert.equal(client.build, 'node ../../scripts/setup.mjs --packages-only && tsc -p .');
});

/** Stands in for npm in the short form: uses the dependencies of the clone. */
async function unpackBesideDependencies(): Promise<string> {
  const { code, output } = await run('tar', ['-xf', join(dir, packed.filename), '-C', dir]);
  assert.equal(code, 0, output);
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'));
  return join(dir, 'package/bin/imgstore');
}

async function installByNpm(): Promise<string> {
  const quick = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm('install', '--global', '--prefix', dir, ...quick, join(dir, packed.filename));
  const page = await readFile(join(dir, 'share/man/man1/imgstore.1'), 'utf8');
  assert.equal(page, await readFile('man/imgstore.1', 'utf8'));
  return join(dir, 'bin/imgstore');
}

test('installed from its package into an empty prefix: version, up, an upload', async (t) => {
  const installed = await (longForm ? installByNpm() : unpackBesideDependencies());
  assert.equal((await imgstore(['--version'], { installed })).stdout, `${version()}\n`);
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const service = await serve(t, home, ['--database-url', url], 'up', { installed });
  const { id: user_id, token: access_token } = service.user;
  const sample = await readFile('assets/sample.jpg');
  const uploaded = await service.client.post<{ org_path_url: string }>(
    `/api/v1/users/${user_id}/images`,
    { as: ['User', access_token], form: { image_data: filePart(sample) } },
  );
  assert.equal(uploaded.status, 200, uploaded.message);
  const kept = await service.client.raw('GET', uploaded.result.org_path_url);
  assert.deepEqual(Buffer.from(await kept.arrayBuffer()), sample);
  assert.equal(await service.end(), 0);
});
