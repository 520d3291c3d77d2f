import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeNode, judgeProcessor } from './machine.js';

test('a Node.js that is too old is a problem', () => {
  for (const version of ['20.19.0', '20.20.1', '22.0.0', '24.11.1']) {
    assert.equal(judgeNode(version).level, 'ok', version);
  }
  for (const version of ['18.20.8', '20.18.3']) {
    const { level, message, remedy } = judgeNode(version);
    assert.equal(level, 'problem', version);
    assert.match(message, /needs 20\.19 or newer/);
    assert.match(remedy ?? '', /nodejs\.org/);
  }
});

test('a processor without the features that the image library needs is a problem', () => {
  const flags = 'fpu cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3 avx';
  assert.equal(judgeProcessor(`processor\t: 0\nflags\t\t: ${flags}\n`).level, 'ok');
  const { level, message } = judgeProcessor('flags\t\t: fpu cx16 lahf_lm popcnt sse4_1 ssse3\n');
  assert.equal(level, 'problem');
  assert.match(message, /lacks sse4_2,/);
});
