import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Home } from '../base/config/home.js';
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

test('the settings of the console are the time zone, and the base map if there is one', async () => {
  const timezone = 'Asia/Seoul';
  assert.deepEqual(consoleSettings(await configOf({ timezone })), {
    time_zone: timezone,
    trash_days: 30,
  });
  const flags = { timezone, 'map.basemap': basemap, 'map.attribution': 'City of Seoul' };
  assert.deepEqual(consoleSettings(await configOf(flags)), {
    time_zone: timezone,
    trash_days: 30,
    basemap: { tiles: basemap, attribution: 'City of Seoul' },
  });
});

test('the URL of a base map has placeholders, or is that of an archive', async () => {
  for (const wrong of ['https://tiles.example.com/', 'tiles/{z}/{x}/{y}.png']) {
    await assert.rejects(configOf({ 'map.basemap': wrong }), /map\.basemap|basemap/);
  }
  await configOf({ 'map.basemap': 'https://maps.example.com/korea.pmtiles' });
});
