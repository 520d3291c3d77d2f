import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultHome, Home } from '../../base/config/home.js';
import { consoleAccess, greetingText } from './up-service.js';

const url = 'http://127.0.0.1:8080';
const link = `${url}/console/#code=${'x'.repeat(64)}`;
const home = new Home(defaultHome() ?? '/nowhere');
const greeted = {
  url,
  home,
  platform: 'demo',
  user: { name: 'demo-user', id: '01a20377-dc0c-774a-9b7f-c89800ecb04c' },
  console: consoleAccess(url, home, link),
  requestsHidden: false,
};

test('the greeting has a link that signs in to the console, and the command for another, unless it is switched off', () => {
  assert.equal(greeted.console.url, 'http://127.0.0.1:8080/console/');
  const text = greetingText(greeted);
  const lines = text.split('\n');
  assert.ok(lines.includes(link), 'a line of its own');
  assert.ok(
    lines.some((line) => line.endsWith(` ${greeted.console.sign_in}`)),
    text,
  );
  assert.doesNotMatch(greetingText({ ...greeted, console: undefined }), /console/);
});

test('the command that signs in names a home only if it is not the usual one', () => {
  assert.equal(greeted.console.sign_in, 'imgstore console');
  const { sign_in } = consoleAccess(url, new Home('/srv/my photos'), link);
  assert.equal(sign_in, "imgstore console --home '/srv/my photos'");
});
