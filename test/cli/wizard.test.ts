import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import type { Home } from '../../src/base/config/home.js';
import { newHome } from '../../testkit/command.js';
import { emptyDatabase, testDatabase } from '../../testkit/database.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longOnly } from '../../testkit/long-form.js';
import { newBucketConfig, removeBucket } from '../../testkit/s3.js';
import type { Scope } from '../../testkit/scope.js';
import { key, needsTerminal, onTerminal, type Answer } from '../../testkit/terminal.js';

const { enter, down, escape, ctrlC } = key;

/** A port that is in use, and a free one. */
async function ports(scope: Scope): Promise<{ taken: number; free: number }> {
  const [one, other] = [createServer(), createServer()];
  for (const server of [one, other]) await once(server.listen(0, '127.0.0.1'), 'listening');
  scope.after(async () => void one.close());
  const found = { taken: portOf(one.address()), free: portOf(other.address()) };
  const closed = once(other, 'close');
  other.close();
  await closed;
  return found;
}

const portOf = (address: AddressInfo | string | null): number => (address as AddressInfo).port;

const here: Answer = [/Who should be able to reach it/, enter];
const filesHere: Answer = [/Where should uploaded files be kept/, enter];
const noPlatform: Answer = [/Name of the first platform/, enter];
const ownDatabase = (url: string): Answer[] => [
  [/Which PostgreSQL database/, `${down}${enter}`],
  [/Its URL/, `${url}${enter}`],
];

const settingsOf = async (home: Home): Promise<Record<string, unknown>> =>
  (parse(await readFile(home.configFile, 'utf8')) as Record<string, unknown> | null) ?? {};

describe('init on a terminal', { concurrency: 2, ...needsTerminal }, () => {
  test('asks for user, URL, and database; reports errors at once, and asks again', async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const bare = await emptyDatabase(t);
    const { taken, free } = await ports(t);
    const { code, shown } = await onTerminal(
      ['init', '--home', home.dir],
      [
        here,
        [/On which TCP port/, `many${enter}`],
        [/must be a whole number/, `\x15${taken}${enter}`],
        [/already in use[^]*On which TCP port/, `${free}${enter}`],
        filesHere,
        ...ownDatabase('postgresql://me:sEcReT@127.0.0.1:1/none'),
        [/cannot be reached[^]*Which PostgreSQL/, `${down}${enter}`],
        [/Its URL/, `${bare.url}${enter}`],
        [/postgis is missing[^]*Remedy[^]*Which PostgreSQL/, `${down}${enter}`],
        [/Its URL/, `${url}${enter}`],
        [/Name of the first platform/, `Field survey${enter}`],
      ],
    );
    assert.equal(code, 0, shown);
    assert.deepEqual(await settingsOf(home), { port: free, 'database.url': url });
    assert.match(shown, /bin\/imgstore serve --home/);
    const file = join(home.tokens, 'platform');
    assert.ok(shown.includes(file));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(home.tokens)).mode & 0o777, 0o700);
    const token = (await readFile(file, 'utf8')).trim();
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.ok(!shown.includes(token));
    const platforms = await hosted(['platform', 'list', '--home', home.dir, '--json']);
    assert.deepEqual(
      platforms.json<{ platform: string }[]>().map(({ platform }) => platform),
      ['Field survey'],
    );

    const again = await onTerminal(['init', '--home', home.dir], []);
    assert.equal(again.code, 0, 'a home that is set up has nothing to be asked about');
  });

  test(
    'asks for a bucket and its keys, and again if the server rejects them',
    longOnly,
    async (t) => {
      const home = await newHome(t);
      const { url } = await testDatabase(t);
      const bucketConfig = newBucketConfig();
      const { endpoints, bucket, accessKey, secretKey, region } = bucketConfig;
      const { code, shown } = await onTerminal(
        ['init', '--home', home.dir, '--database-url', url, '--port', '0'],
        [
          [/Who should be able to reach it/, `${down}${enter}`],
          [/At which public URL/, `img.example.com${enter}`],
          [/must be a URL/, `\x15https://img.example.com${enter}`],
          [/Where should uploaded files be kept/, `${down}${enter}`],
          [/URL of the S3 server/, `http://127.0.0.1:1${enter}`],
          [/Region/, `${region}${enter}`],
          [/Bucket/, `${bucket}${enter}`],
          [/Access key/, `nobody${enter}`],
          [/Secret key/, `${secretKey}${enter}`],
          [/cannot be reached[^]*URL of the S3 server/, `${endpoints.join(',')}${enter}`],
          [/Region/, enter],
          [/Bucket/, enter],
          [/Access key/, enter],
          [/Secret key/, enter],
          [/rejected the keys[^]*URL of the S3 server/, enter],
          [/Region/, enter],
          [/Bucket/, enter],
          [/Access key/, `${accessKey}${enter}`],
          [/Secret key/, enter],
          noPlatform,
        ],
      );
      t.after(() => removeBucket(bucketConfig));
      assert.equal(code, 0, shown);
      assert.ok(!shown.includes(secretKey), 'typed without echo');
      const settings = await settingsOf(home);
      assert.equal(settings.public_url, 'https://img.example.com');
      assert.equal(settings.trust_proxy, 1);
      assert.deepEqual(settings['s3.endpoint'], endpoints);
      assert.equal(settings['s3.secret_key'], secretKey);
      assert.equal(settings['s3.bucket'], bucket);
    },
  );

  test('with a given S3 server, asks for the missing settings', longOnly, async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const { endpoints, bucket, secretKey } = newBucketConfig();
    const given = ['--database-url', url, '--s3-endpoint', endpoints.join(','), '--port', '0'];
    const { code } = await onTerminal(
      ['init', '--home', home.dir, ...given],
      [
        here,
        [/Bucket/, `${bucket}${enter}`],
        [/Access key/, `nobody${enter}`],
        [/Secret key/, `${secretKey}${enter}`],
        [/rejected the keys[^]*Bucket/, ctrlC],
      ],
    );
    assert.equal(code, 130);
  });

  test('asks for the home, and refuses a directory with other content', async (t) => {
    const { dir } = await newHome(t);
    await mkdir(join(dir, 'photos'), { recursive: true });
    await writeFile(join(dir, 'photos/mine.jpg'), '');
    // The default home of root is system-wide, and tests must not use it.
    const as = process.getuid?.() === 0 ? 65534 : undefined;
    if (as !== undefined)
      await Promise.all([dir, join(dir, 'photos')].map((path) => chown(path, as, as)));
    const { code, shown } = await onTerminal(
      ['init'],
      [
        [/In which directory/, `${dir}/photos${enter}`],
        [/contains other files[^]*In which directory/, `/proc/imgstore${enter}`],
        [/Cannot write in \/proc[^]*In which directory/, `~/new${enter}`],
        [/Who should be able to reach it/, ctrlC],
      ],
      { env: { HOME: dir, XDG_DATA_HOME: dir }, ...(as !== undefined && { as }) },
    );
    assert.equal(code, 130, shown);
    await assert.rejects(stat(join(dir, 'new')), { code: 'ENOENT' });
  });

  test('Esc returns to the question before, with the former answer', async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const { free } = await ports(t);
    const { code, shown } = await onTerminal(
      ['init', '--home', home.dir],
      [
        [/Who should be able to reach it/, `${down}${enter}`],
        [/Esc returns to the question before[^]*At which public URL/, escape],
        [/Who should be able to reach it/, enter], // the former answer
        [/At which public URL/, `https://img.example.com${enter}`],
        [/On which TCP port/, `${free}${enter}`],
        filesHere,
        ...ownDatabase('postgresql://me:sEcReT@127.0.0.1:1/none'),
        [/cannot be reached[^]*Which PostgreSQL/, escape],
        [/Where should uploaded files be kept/, escape],
        [new RegExp(`On which TCP port.*${free}`), enter], // the former answer
        filesHere,
        ...ownDatabase(url),
        [/Name of the first platform/, escape],
        [/Its URL/, enter],
        [/Name of the first platform/, enter],
      ],
    );
    assert.equal(code, 0, shown);
    assert.deepEqual(await settingsOf(home), {
      port: free,
      public_url: 'https://img.example.com',
      trust_proxy: 1,
      'database.url': url,
    });
    assert.equal(shown.split('Esc returns').length, 2, 'said once');
  });

  test('Ctrl-C at a question exits with 130 and leaves nothing behind', async (t) => {
    const home = await newHome(t);
    const { code, shown } = await onTerminal(
      ['init', '--home', home.dir],
      [here, [/On which TCP port/, ctrlC]],
    );
    assert.equal(code, 130);
    assert.match(shown, /Error: Interrupted\./);
    assert.match(shown, /Run the same command again: it is safe/);
    assert.doesNotMatch(shown, /^\s+at /m);
    await assert.rejects(stat(home.dir), { code: 'ENOENT' });
  });

  test('asks nothing with --yes', longOnly, async (t) => {
    const home = await newHome(t);
    const { url } = await testDatabase(t);
    const args = ['init', '--yes', '--home', home.dir, '--database-url', url];
    const { code, shown } = await onTerminal(args, []);
    assert.equal(code, 0, shown);
    assert.doesNotMatch(shown, /\?/);
  });
});
