import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newHome, type Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';
import { testDatabase } from '../../testkit/database.js';
import { Relay } from '../../testkit/relay.js';
import { newBucketConfig, removeBucket, s3Settings } from '../../testkit/s3.js';

test('serve exits with 69 quickly if the S3 server falls silent', async (t) => {
  const direct = newBucketConfig();
  t.after(() => removeBucket(direct));
  const relay = await Relay.to(direct.endpoints[0] ?? '');
  t.after(() => relay.cut());
  const home = await newHome(t);
  const { url } = await testDatabase(t);
  const settings = {
    ...s3Settings({ ...direct, endpoints: [relay.url] }),
    'database.url': url,
  };
  const env = Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `IMGSTORE_${key.replace('.', '_').toUpperCase()}`,
      value,
    ]),
  );
  const made = await hosted(['init', '--home', home.dir, '--json'], { env });
  assert.equal(made.code, 0, made.stdout);
  relay.mode = 'hang';
  const before = relay.connections;
  const ran = await hosted(['serve', '--home', home.dir, '--port', '0', '--json'], { env });
  const { error } = ran.json<Failure>();
  assert.equal(ran.code, 69, error.message);
  assert.equal(error.setting, 's3.endpoint');
  assert.match(error.message, /cannot be reached .*ETIMEDOUT/);
  assert.match(error.remedy ?? '', /curl/);
  // Each attempt times out after 10 s.
  assert.ok(relay.connections - before <= 2, `${relay.connections - before} tries`);
});
