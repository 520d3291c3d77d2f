import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultHome, Home } from '../../base/config/home.js';
import { consoleAccess, greetingText } from './up-service.js';

const greeted = {
  url: 'http://127.0.0.1:8080',
  home: new Home(defaultHome() ?? '/nowhere'),
  platform: 'demo',
  user: { name: 'demo-user', id: '01a20377-dc0c-774a-9b7f-c89800ecb04c' },
  console: true,
  requestsHidden: false,
};

test('the greeting names the console and how to sign in to it, unless it is switched off', () => {
  const { url, sign_in } = consoleAccess(greeted);
  assert.equal(url, 'http://127.0.0.1:8080/console/');
  const text = greetingText(greeted);
  assert.ok(text.includes(url) && text.includes(`${sign_in}\n`), text);
  assert.doesNotMatch(greetingText({ ...greeted, console: false }), /console/);
});

test('the command that signs in names a home only if it is not the usual one', () => {
  assert.equal(consoleAccess(greeted).sign_in, 'imgstore console');
  const home = new Home('/srv/my photos');
  const { sign_in } = consoleAccess({ ...greeted, home });
  assert.equal(sign_in, "imgstore console --home '/srv/my photos'");
});
