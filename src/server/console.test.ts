import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultHome, Home } from '../base/config/home.js';
import { loadSettings } from '../base/config/load.js';
import { contentSecurityPolicy, consoleSettings } from './console.js';

const home = new Home('/nonexistent');

const configOf = async (flags: Record<string, string>) =>
  (await loadSettings({ flags, env: {}, home })).values;

const basemap = 'https://tiles.example.com/{z}/{x}/{y}.png';

test('the console loads maps from no other host unless a setting names one', async () => {
  const plain = contentSecurityPolicy(await configOf({}));
  assert.match(plain, /; connect-src 'self'; /);
  assert.match(plain, /; img-src 'self' data: blob:; /);
  const named = contentSecurityPolicy(await configOf({ 'map.basemap': basemap }));
  assert.match(named, /; connect-src 'self' https:\/\/tiles\.example\.com; /);
  assert.match(named, /; img-src 'self' data: blob: https:\/\/tiles\.example\.com; /);
});

test('pictures are shown, and read to be drawn on, from where signed URLs point to', async () => {
  const policy = contentSecurityPolicy(
    await configOf({
      public_url: 'https://images.example.com/store',
      's3.endpoint': 'https://s3.internal:9000',
      's3.public_endpoint': 'https://s3.example.com',
      's3.bucket': 'images',
      's3.access_key': 'key',
      's3.secret_key': 'secret',
    }),
  );
  const origins = 'https://images.example.com https://s3.example.com';
  assert.ok(policy.includes(`; connect-src 'self' ${origins}; `), policy);
  assert.ok(policy.includes(`; img-src 'self' data: blob: ${origins}; `), policy);
});

test('the settings of the console are the time zone, how commands are typed, and a base map', async () => {
  const timezone = 'Asia/Seoul';
  const command = { program: 'imgstore', options: ' --home HOME' };
  assert.deepEqual(consoleSettings(await configOf({ timezone }), home), {
    time_zone: timezone,
    trash_days: 30,
    command,
  });
  const usual = consoleSettings(
    await configOf({ timezone }),
    new Home(defaultHome() ?? '/nowhere'),
  );
  assert.deepEqual(usual.command, { program: 'imgstore', options: '' });
  const flags = { timezone, 'map.basemap': basemap, 'map.attribution': 'City of Seoul' };
  assert.deepEqual(consoleSettings(await configOf(flags), home), {
    time_zone: timezone,
    trash_days: 30,
    command,
    basemap: { tiles: basemap, attribution: 'City of Seoul' },
  });
});

test('the URL of a base map has placeholders, or is that of an archive', async () => {
  for (const wrong of ['https://tiles.example.com/', 'tiles/{z}/{x}/{y}.png']) {
    await assert.rejects(configOf({ 'map.basemap': wrong }), /map\.basemap|basemap/);
  }
  await configOf({ 'map.basemap': 'https://maps.example.com/korea.pmtiles' });
});
