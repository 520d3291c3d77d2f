import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, test } from 'node:test';
import { columnsOf } from '../../src/base/text.js';
import { quarantineKey } from '../../src/store/object-key.js';
import { done } from '../../testkit/expect.js';
import { hosted } from '../../testkit/hosted-command.js';
import { operate } from '../../testkit/operator.js';
import type { CreatedPlatform } from '../../testkit/records.js';
import type { Image } from '../../testkit/records.js';
import { ownService } from '../../testkit/service.js';
import { key, needsTerminal, onTerminal } from '../../testkit/terminal.js';

const service = await ownService({ after });
const album = await service.user();

/** One entry of each kind, with long texts. */
async function fill(): Promise<{ platformId: string; day: string }> {
  const name = '현장 조사 '.repeat(20).trim();
  const { id: platformId } = (
    await operate(service, ['platform', 'create', '--name', name])
  ).json<CreatedPlatform>();
  const user = ['user', 'create', '--platform', platformId, '--platform-user-id', 'k'.repeat(70)];
  assert.equal((await operate(service, user)).code, 0);
  const url = `https://example.com/${'hook/'.repeat(5)}`;
  const create = ['webhook', 'create', '--platform', platformId, '--url', url];
  const { id: webhookId } = (await operate(service, create)).json<{ id: string }>();
  assert.equal((await operate(service, ['webhook', 'pause', webhookId])).code, 0);
  const { id } = await album.upload();
  await album.put<Image>(`/images/${id}`, { delete: 'True' });
  await album.upload();
  const { store } = service.service;
  const keys = await readdir(service.home.store, { recursive: true });
  const day = '2026-01-05';
  const key = keys.find((path) => /\/thumb.*\.\w+$/.test(path)) ?? '';
  await store.move(key, quarantineKey({ day, key }));
  return { platformId, day };
}

test('lists have headers, and lines that fit a terminal of 80 columns', needsTerminal, async () => {
  const { platformId, day } = await fill();
  const { url = '' } = service.db.options as { url?: string };
  const here = ['--home', service.home.dir, '--database-url', url];
  for (const [words, header, entries] of [
    [['platform', 'list'], /^ID +USERS +PLATFORM$/, 2],
    [['user', 'list', '--platform', platformId], /^ID +USER$/, 1],
    [['webhook', 'list'], /^ID +STATE +URL$/, 1],
    [['keys', 'list'], /^ID +CREATED \(UTC\) +STATE$/, 1],
    [['jobs', 'list'], /^JOB +WHEN +LAST RUN$/, 5],
    [['trash', 'list'], /^USER ID +SINCE +SIZE +IMAGES +FOLDERS( +USER)?$/, 1],
    [['quarantine', 'list'], /^DATE +OBJECTS +SIZE$/, 1],
    [['quarantine', 'list', day], /^SIZE +KEY$/, 1],
    [['audit', '--changes'], /^TIME \(UTC\) +ACT +WHO, AND ABOUT WHAT$/, 5],
  ] as const) {
    const { code, shown } = await onTerminal([...words, ...here], []);
    assert.equal(code, 0, shown);
    const [first = '', ...lines] = shown.trimEnd().split('\r\n');
    assert.match(first, header);
    assert.ok(lines.filter((line) => !line.startsWith(' ')).length >= entries, shown);
    for (const line of lines) {
      const isOneWord = line.trim().split(' ').length === 1; // a key: the terminal breaks it
      assert.ok(columnsOf(line) <= 80 || isOneWord, line);
    }
  }
});

test('names of clients neither steer the terminal nor look like lines', needsTerminal, async () => {
  const name = 'a\u001b[2J\r\nforged\u202e';
  const shown = 'a\\u001b[2J\\r\\nforged\\u202e';
  const tenant = await service.platform();
  const user = await tenant.user(name);
  const { id: imageId } = await user.upload();
  const { url = '' } = service.db.options as { url?: string };
  const here = ['--home', service.home.dir, '--database-url', url];
  const json = { kind: 'view', image_ids: [imageId], title: name };
  done(await user.call('POST', '/links', { json }));
  done(await user.call('POST', '/tokens', { json: { name, allow: 'read' } }));
  done(await tenant.call('POST', '/holds', { json: { image_ids: [imageId], reason: name } }));
  for (const words of [
    ['user', 'show', user.id],
    ['link', 'list', '--user', user.id],
    ['token', 'list', '--user', user.id],
    ['hold', 'list', '--platform', tenant.id],
  ]) {
    const { stdout } = await hosted([...words, ...here]);
    assert.ok(stdout.includes(shown), stdout);
    assert.doesNotMatch(stdout, /^forged/m);
  }
  const question = /Permanently delete the user/;
  const asked = await onTerminal(['user', 'delete', user.id, ...here], [[question, key.enter]]);
  assert.equal(asked.code, 1, asked.shown);
  assert.ok(asked.shown.includes(shown), JSON.stringify(asked.shown));
});
