import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { run } from '../../src/base/os/run.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';

const root = process.cwd();
const script = join(root, 'dist/scripts/package-deb.js');
const missing = existsSync('/usr/bin/dpkg-deb') ? undefined : 'needs dpkg-deb';
const skip = missing ?? (longForm ? undefined : 'in the long form');

const maintainer = 'Kim Min-ji <kim@example.com>';
const nameless = { DEBFULLNAME: undefined, DEBEMAIL: undefined };

async function output(file: string, ...args: string[]): Promise<string> {
  const ran = await run(file, args);
  assert.equal(ran.code, 0, ran.output);
  return ran.stdout;
}

describe('the Debian package', { ...(skip && { skip }) }, async () => {
  if (skip) return;
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-deb-'));
  after(() => rm(dir, { recursive: true, force: true }));
  const options = ['--out', dir, '--compression', 'none', '--version', '1.2.3'];
  const env = { DEBFULLNAME: 'Kim Min-ji', DEBEMAIL: 'kim@example.com' };
  const built = await run(process.execPath, [script, ...options], { env });
  assert.equal(built.code, 0, built.output);
  const file = built.stdout.trim();
  /** Mode, owner, size and path of every entry. */
  const lines = (await output('dpkg-deb', '--contents', file)).trim().split('\n');
  const paths = lines.map((line) => line.replace(/^(\S+\s+){5}\.\//, ''));
  const tree = join(dir, 'tree');
  await output('dpkg-deb', '--extract', file, tree);
  const lib = join(tree, 'usr/lib/imgstore');
  const node = join(lib, 'node');

  test('is of this version and architecture, and recommends PostgreSQL with PostGIS', async () => {
    const architecture = (await output('dpkg', '--print-architecture')).trim();
    assert.ok(file.endsWith(`/imgstore_1.2.3_${architecture}.deb`));
    const depends = await output('dpkg-deb', '--field', file, 'Depends');
    assert.match(depends, /libc6 \(>= 2\.\d+\)/);
    assert.doesNotMatch(depends, /postgresql/, 'nodes with a database elsewhere need none');
    const recommends = await output('dpkg-deb', '--field', file, 'Recommends');
    for (const wanted of [
      /bubblewrap/,
      /postgresql \(>= 15\)/,
      /postgresql-15-postgis-3/,
      /libavcodec59/,
    ]) {
      assert.match(recommends, wanted);
    }
  });

  test('names the maintainer it was given', async () => {
    assert.equal(await output('dpkg-deb', '--field', file, 'Maintainer'), `${maintainer}\n`);
  });

  test('contains the program with its Node, units, and documentation at the expected paths', () => {
    for (const wanted of [
      'usr/bin/imgstore',
      'usr/lib/imgstore/node',
      'usr/lib/imgstore/dist/bundle/imgstore.js',
      'usr/lib/systemd/system/imgstore.service',
      'usr/lib/systemd/system/imgstore@.service',
      'usr/share/doc/imgstore/copyright',
      'usr/share/doc/imgstore/install.md',
      'usr/share/man/man1/imgstore.1.gz',
      'usr/share/bash-completion/completions/imgstore',
      'usr/share/zsh/vendor-completions/_imgstore',
      'usr/share/fish/vendor_completions.d/imgstore.fish',
    ]) {
      assert.ok(paths.includes(wanted), wanted);
    }
    const places =
      /^$|^usr\/$|^usr\/(bin|lib|share)\/$|^usr\/bin\/imgstore$|^usr\/lib\/(imgstore|systemd)\/|^usr\/share\/(doc|man|lintian|bash-completion|zsh|fish)\//;
    assert.deepEqual(
      paths.filter((path) => !places.test(path)),
      [],
    );
  });

  test('has native modules only for this machine, and nothing for developers', () => {
    const native = paths.filter((path) => /\.(node|so[.\d]*|dylib|dll)$/.test(path));
    const foreign = native.filter((path) => /musl|darwin|win32|android|freebsd/.test(path));
    assert.deepEqual(foreign, []);
    assert.ok(native.some((path) => path.includes(`sharp-linux-${process.arch}`)));
    const idle = paths.filter((path) =>
      /\.(map|ts)$|\.test\.js$|node_modules\/(typescript|eslint|prettier)\/|\/fixtures\//.test(
        path,
      ),
    );
    assert.deepEqual(idle, []);
  });

  test('is owned by root, and others cannot write to it', () => {
    assert.deepEqual(
      lines.filter((line) => !/^[-dl]\S+ root\/root /.test(line) || /^-.{7}w/.test(line)),
      [],
    );
  });

  test('its man page and shell completions are those of this program', async () => {
    const share = join(tree, 'usr/share');
    const page = gunzipSync(await readFile(join(share, 'man/man1/imgstore.1.gz')));
    assert.equal(page.toString(), await readFile('man/imgstore.1', 'utf8'));
    for (const [shell, path] of [
      ['bash', 'bash-completion/completions/imgstore'],
      ['zsh', 'zsh/vendor-completions/_imgstore'],
      ['fish', 'fish/vendor_completions.d/imgstore.fish'],
    ] as const) {
      const printed = await hosted(['completion', shell]);
      assert.equal(await readFile(join(share, path), 'utf8'), printed.stdout);
    }
  });

  test('its Node is that of the images, with long-term support', async () => {
    const dockerfile = await readFile('docker/Dockerfile', 'utf8');
    const printed = await output(
      node,
      '--print',
      'process.versions.node + " " + process.release.lts',
    );
    assert.match(printed, /^[\d.]+ [A-Z][a-z]+\n$/);
    assert.ok(dockerfile.includes(`FROM node:${printed.split(' ')[0]}-`));
  });

  test('runs: its Node starts its program', async () => {
    assert.equal(await output(node, join(lib, 'bin/imgstore'), '--version'), '1.2.3\n');
    const names = ['sharp', 'koffi', 'libheif-js', 'piscina', 'swagger-ui-dist']; // the others are bundled
    const imports = names.map((name) => `await import('${name}');`).join('');
    const module = ['--input-type=module', '--eval', `process.chdir('${lib}'); ${imports}`];
    assert.equal((await run('env', ['-C', lib, node, ...module])).output, '');
  });
});

test('the Debian package is not built without a maintainer', async () => {
  const nobody = { ...nameless, GIT_DIR: '/nonexistent', GIT_CONFIG_GLOBAL: '/dev/null' };
  const refused = await run(process.execPath, [script, '--out', '/nonexistent'], {
    env: { ...nobody, GIT_CONFIG_NOSYSTEM: '1' },
  });
  assert.equal(refused.code, 78);
  assert.match(refused.output, /needs a maintainer[^]*DEBFULLNAME=.* DEBEMAIL=/);
});

test('the scripts of the Debian package are valid shell scripts', async () => {
  for (const name of await readdir('packaging/debian')) {
    if (!/^(imgstore|p(ost|re)(inst|rm))$/.test(name)) continue;
    await output('sh', '-n', join(root, 'packaging/debian', name));
  }
});
