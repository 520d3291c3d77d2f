import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPassword } from './check-external.js';
import { withoutSecret } from './dump-programs.js';

test('a password is neither in arguments nor in messages, wherever the URL has it', () => {
  const secret = { PGPASSWORD: 'p@ss' };
  const many = { PGCONNECT_TIMEOUT: '5' };
  for (const [url, bare, env] of [
    ['postgresql://u:p%40ss@h/d', 'postgresql://u@h/d', secret],
    ['postgresql://u@h/d?password=p%40ss', 'postgresql://u@h/d', secret],
    [
      'postgresql://u@h/d?sslmode=require&sslpassword=p%40ss',
      'postgresql://u@h/d?sslmode=require',
      {},
    ],
    ['postgresql://u@h/d?p%61ssword=p%40ss', 'postgresql://u@h/d', secret],
    ['postgresql://u@h/d?a=b&oauth_client_secret=p%40ss', 'postgresql://u@h/d?a=b', {}],
    ['postgresql://u:other@h/d?a=b&password=p%40ss&c=d', 'postgresql://u@h/d?a=b&c=d', secret],
    [
      'postgresql:///d?host=/run&user=u&password=p%40ss',
      'postgresql:///d?host=/run&user=u',
      secret,
    ],
    ['postgresql://u:p%40ss@h,i/d?a=b', 'postgresql://u@h,i/d?a=b', { ...many, ...secret }],
    ['postgresql://u@h/d?a=b', 'postgresql://u@h/d?a=b', {}],
  ] as const) {
    assert.deepEqual(withoutSecret(url), { url: bare, env });
    assert.doesNotMatch(withoutPassword(url), /p%40ss|other/);
  }
  assert.equal(
    withoutPassword('postgresql://u@h/d?password=x&sslmode=require&sslpassword=y'),
    'postgresql://u@h/d?password=…&sslmode=require&sslpassword=…',
  );
});
