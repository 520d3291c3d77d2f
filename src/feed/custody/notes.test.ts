import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openCheckpoint } from '../../../testkit/tlog.js';
import { primitives, privateKeyOf, signNote, verifierKeyOf } from './crypto.js';
import { checkpointText, openNote as open, parseCheckpoint } from './notes.js';

const openNote = (note: string, key: string) => open(note, key, primitives);

const origin = 'example.com/log/1';
const root = Buffer.alloc(32, 7).toString('base64');

test('a note is what others sign and read', () => {
  // The example of golang.org/x/mod/sumdb/note.
  const skey = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64');
  const vkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  const text =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
  const key = privateKeyOf(skey.subarray(1));
  assert.equal(verifierKeyOf('PeterNeumann', key), vkey);
  assert.equal(signNote(text, 'PeterNeumann', key), note);
  assert.equal(openNote(note, vkey), text);
});

test('a checkpoint of ours is what another reader reads', () => {
  const key = privateKeyOf(randomBytes(32));
  const state = { origin, size: 20852163, root };
  const note = signNote(checkpointText(state), origin, key);
  const vkey = verifierKeyOf(origin, key);
  assert.deepEqual(openCheckpoint(note, vkey), state);
  assert.deepEqual(parseCheckpoint(openNote(note, vkey) ?? ''), state);
  assert.deepEqual(parseCheckpoint(note), state);
});

test('what another key has signed, or nobody, is no note', () => {
  const key = privateKeyOf(randomBytes(32));
  const vkey = verifierKeyOf(origin, key);
  const text = checkpointText({ origin, size: 1, root });
  const note = signNote(text, origin, key);
  const others = [
    note.replace('\n1\n', '\n2\n'),
    signNote(text, origin, privateKeyOf(randomBytes(32))),
    signNote(text, 'example.com/log/2', key),
    text,
    `${text}\n`,
    '',
  ];
  for (const other of others) assert.equal(openNote(other, vkey), undefined, other);
  for (const bad of ['', origin, vkey.replace('+', '+0'), `${vkey}A`])
    assert.equal(openNote(note, bad), undefined);
  const witnessed = `${note}— witness.example ${Buffer.alloc(68).toString('base64')}\n`;
  assert.equal(openNote(witnessed, vkey), text);
});

test('what is no checkpoint is none', () => {
  const text = checkpointText({ origin, size: 1, root });
  for (const bad of [
    text.replace('\n1\n', '\n01\n'),
    text.replace('\n1\n', '\n-1\n'),
    text.replace('example', 'exam ple'),
    text.slice(0, -2),
    `${text}more\n`,
  ]) {
    assert.equal(parseCheckpoint(bad), undefined, bad);
  }
});
