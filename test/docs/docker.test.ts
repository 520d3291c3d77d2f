import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rename, rm, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { urlsOfHosts } from '../../src/base/config/database-hosts.js';
import { optionKeys, variableOf } from '../../src/base/config/options.js';
import { run } from '../../src/base/os/run.js';
import { requiredExtensions } from '../../src/database/postgres/engine.js';
import { imgstore } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { longOnly } from '../../testkit/long-form.js';
import { serve } from '../../testkit/appliance.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

interface Service {
  readonly image: string;
  readonly stop_grace_period?: string;
  readonly logging?: { readonly options: Readonly<Record<string, string>> };
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}

const read = (file: string): unknown =>
  parse(readFileSync(`docker/${file}`, 'utf8'), { merge: true });

const compose = read('compose.yaml') as Compose;
const failover = read('failover.yaml') as Compose;
const appliance = read('appliance.yaml') as Compose;
const nodes = [...Object.entries(compose.services), ...Object.entries(failover.services)];
const services = [...nodes, ...Object.entries(appliance.services)];

const [, build = '', node = '', whole = ''] = readFileSync('docker/Dockerfile', 'utf8').split(
  /^FROM /m,
);

describe('docker/', () => {
  test('nginx.conf matches the output of proxy-config for the two nodes', async () => {
    const { stdout } = await imgstore([
      'proxy-config',
      'nginx',
      '--home',
      '/nonexistent',
      '--trust-proxy',
      '1',
      '--public-url',
      'http://localhost:8088',
      '--upstream',
      'imgstore:8080',
      '--upstream',
      'imgstore-2:8080',
    ]);
    assert.equal(readFileSync('docker/nginx.conf', 'utf8'), stdout);
  });

  test('the compose files use only existing settings and secrets, and images with versions', () => {
    const known = optionKeys.map(variableOf);
    for (const [name, { image, environment = {}, secrets = [] }] of services) {
      assert.match(image, /:v?\d+\.\d+|:\d+-\d+\.\d+/, name);
      for (const secret of secrets) assert.ok(secret in compose.secrets, secret);
      for (const variable of Object.keys(environment).filter((v) => v.startsWith('IMGSTORE_'))) {
        const setting = variable.replace(/_FILE$/, '');
        assert.ok(known.includes(setting) || setting === 'IMGSTORE_MASTER_KEY', variable);
      }
    }
  });

  test(
    'the files that the image copies are sufficient to build the program',
    longOnly,
    async (t) => {
      const dir = await temporaryDirectory('image');
      t.after(() => rm(dir, { recursive: true }));
      for (const [, names = '', target = ''] of build.matchAll(/^COPY (.*) (\S+)$/gm)) {
        for (const name of names.split(' ')) {
          const into = /^\.?\/|\/$/.test(target) ? join(target, basename(name)) : target;
          await cp(name, join(dir, into), { recursive: true });
        }
      }
      await symlink(resolve('node_modules'), join(dir, 'node_modules'));
      const { code, output } = await run(process.execPath, [join(dir, 'scripts/build.mjs')]);
      assert.equal(code, 0, output);
      assert.ok(existsSync(join(dir, 'dist/bundle/imgstore.js')));
    },
  );

  test('the images have no compiler, and do not run as root', () => {
    for (const image of [node, whole]) {
      assert.match(image, /^USER node\n(?![^]*^USER )/m);
      assert.doesNotMatch(image, /npm |build\.mjs/);
    }
    assert.match(node, /^HEALTHCHECK .* CMD \["node", "\/opt\/imgstore\/health\.mjs"\]$/m);
  });

  test('the image has the programs for its database, from packages of its release', () => {
    const [, base, suite = ''] = /^(node:[\d.]+-(\w+)-slim) AS node\n/.exec(node) ?? [];
    assert.ok(build.startsWith(`${base} AS build\n`));
    const packages = /apt-get install .*--no-install-recommends (.*) \\/.exec(node)?.[1] ?? '';
    const [postgresql, libavcodec] = { trixie: [17, 61] }[suite] ?? [];
    const wanted = [`postgresql-client-${postgresql}`, `libavcodec${libavcodec}`];
    for (const name of ['bubblewrap', 'tini', ...wanted]) {
      assert.ok(packages.split(' ').includes(name), name);
    }
    assert.ok(whole.startsWith('node AS appliance\n'));
    assert.ok(whole.includes(`--no-install-recommends postgresql-${postgresql}-postgis-3 \\`));
    assert.ok(readFileSync('docker/entrypoint.sh', 'utf8').includes(`/postgresql/${postgresql}/`));
    // pg_dump refuses newer servers.
    const [, server] =
      /^postgis\/postgis:(\d+)-/.exec(compose.services.database?.image ?? '') ?? [];
    assert.ok(Number(server) <= Number(postgresql), `pg_dump ${postgresql} for ${server}`);
  });

  test('services have limits of logs, and the time to stop that systemd gives them', () => {
    const stopOf = (unit: string): string | undefined =>
      /^TimeoutStopSec=(\w+)$/m.exec(readFileSync(`systemd/${unit}`, 'utf8'))?.[1];
    const whole = appliance.services.imgstore;
    assert.equal(whole?.stop_grace_period, stopOf('imgstore.service'));
    for (const [name, service] of services) {
      assert.deepEqual(service.logging?.options, { 'max-size': '10m', 'max-file': '5' }, name);
    }
    for (const [name, service] of nodes) {
      const wanted = name.startsWith('imgstore')
        ? stopOf('imgstore@.service')
        : name === 'proxy'
          ? undefined
          : '60s';
      assert.equal(service.stop_grace_period, wanted, name);
    }
  });

  test('the database of several servers has what imgstore needs, and no more versions than one', () => {
    const sql = readFileSync('docker/patroni/databases.sh', 'utf8');
    const created = [...sql.matchAll(/^CREATE EXTENSION (\w+);$/gm)].map(([, name]) => name);
    assert.deepEqual(created, requiredExtensions);
    const { postgresql } = read('patroni/patroni.yml') as { postgresql: { bin_dir: string } };
    const [, version = ''] = /postgresql\/(\d+)\/bin$/.exec(postgresql.bin_dir) ?? [];
    const dockerfile = readFileSync('docker/patroni/Dockerfile', 'utf8');
    assert.ok(
      dockerfile.includes(` patroni postgresql-${version} postgresql-${version}-postgis-3 `),
    );
    const secrets = readFileSync('docker/make-secrets.sh', 'utf8');
    const url = /^echo "(\S*\/\/imgstore:).*@(.*)" \|\n {2}keep database-hosts\.url$/m.exec(
      secrets,
    );
    assert.deepEqual(
      urlsOfHosts(`postgresql://${url?.[2]}`).map((one) => new URL(one).host),
      Object.keys(failover.services).filter((name) => name.startsWith('database')),
    );
  });

  test('the health check asks whether the service of the home lives, not whether it is ready', async (t) => {
    const { home } = await initializedHome(t);
    const check = () =>
      run(process.execPath, [resolve('docker/health.mjs')], { env: { IMGSTORE_HOME: home.dir } });
    const before = await check();
    assert.deepEqual([before.code, before.output.includes('No service serves')], [1, true]);
    const serving = await serve(t, home);
    const during = await check();
    assert.deepEqual([during.code, during.output], [0, '']);
    await rename(home.store, `${home.store}.away`);
    const isReady = async (): Promise<boolean> => (await fetch(`${serving.url}/readyz`)).ok;
    await eventually('it is not ready without its store', async () => !(await isReady()));
    assert.equal((await check()).code, 0);
    await rename(`${home.store}.away`, home.store);
    assert.equal(await serving.end(), 0);
    assert.equal((await check()).code, 1);
  });
});
