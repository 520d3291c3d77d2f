import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSetting, lostSettings, withSetting, configTemplate } from './config-file.js';
import { type OptionKey, optionKeys, options } from './options.js';
import { fallbackOf } from './setting.js';

const changes: readonly [what: string, OptionKey, unknown, before: string, after: string][] = [
  ['a value', 'port', 9000, '# a\nport: 80 # b\nhost: x\n', '# a\nport: 9000 # b\nhost: x\n'],
  ['a nested value', 'log.level', 'debug', 'log:\n  level: "info"\n', 'log:\n  level: debug\n'],
  ['an empty value', 'port', 1, 'port:\nhost: x\n', 'port: 1\nhost: x\n'],
  ['a flow list', 'cors.origins', ['*'], 'cors.origins: [a, b]\n', 'cors.origins: [ "*" ]\n'],
  [
    'a block list',
    'cors.origins',
    ['http://a'],
    'cors.origins:\n  - http://b\n  - http://c\nport: 1\n',
    'cors.origins:\n  [ http://a ]\nport: 1\n',
  ],
  ['a commented line', 'port', 1, '# TCP\n# port: 8080\n\n# x\n', '# TCP\nport: 1\n\n# x\n'],
  ['the end', 'port', 1, 'host: x', 'host: x\nport: 1\n'],
  ['an empty file', 'port', 1, '', 'port: 1\n'],
  ['text that needs quotes', 'host', '# $& : x', 'host: y\n', 'host: "# $& : x"\n'],
];

for (const [what, key, value, before, after] of changes) {
  test(`a setting is written in place of ${what}, and nothing else changes`, () => {
    assert.equal(withSetting(before, key, value), after);
    assert.ok(hasSetting(after, key, value));
    assert.ok(!hasSetting(before, key, value));
  });
}

test('a long value of the template is on one line, and read as it was given', () => {
  const hosts = ['a', 'b', 'c'].map((name) => `database-${name}.internal.example.com:5432`);
  const url = `postgresql://imgstore:p%40ss@${hosts.join()}/imgstore?target_session_attrs=read-write # x`;
  const chosen = { 'database.url': url, 'cors.origins': hosts.map((host) => `https://${host}`) };
  const source = configTemplate(chosen);
  assert.deepEqual(lostSettings(source, chosen), []);
  assert.deepEqual(lostSettings(source.replace('p%40ss', 'p'), chosen), ['database.url']);
  const commented = source.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(commented.length, 2);
});

test('every setting of the template can be set repeatedly', () => {
  let source = configTemplate({});
  const lines = source.split('\n').length;
  for (const key of optionKeys) {
    const value = fallbackOf(options[key]) ?? 'x';
    source = withSetting(withSetting(source, key, 'other'), key, value);
    assert.ok(hasSetting(source, key, value), key);
  }
  assert.equal(source.split('\n').length, lines);
});

test('a file with mistakes never counts as changed', () => {
  assert.ok(!hasSetting('port: [1,\n', 'port', 1));
  assert.ok(!hasSetting('port: 1\nport: 1\n', 'port', 1));
});
