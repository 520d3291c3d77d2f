import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Back } from './ask.js';
import { Trail } from './wizard-asking.js';

test('going back asks the last question again, with its answer, and repeats no work before it', async () => {
  const trail = new Trail();
  const log: string[] = [];
  const typed = ['a', 'b', undefined, 'B', 'c']; // undefined: back
  const ask = (question: string): Promise<string> =>
    trail.answer(async (former?: string) => {
      log.push(former === undefined ? question : `${question} (${former})`);
      const answer = typed.shift();
      if (answer === undefined) throw new Back();
      return answer;
    });
  const given = await trail.walk(async () => {
    const first = await ask('first');
    await trail.once(async () => void log.push('work'));
    return [first, await ask('second'), await ask('third')];
  });
  assert.deepEqual(given, ['a', 'B', 'c']);
  assert.deepEqual(log, ['first', 'work', 'second', 'third', 'second (b)', 'third']);
});

test('what did not work is forgotten: going back then leads to the question before it', async () => {
  const trail = new Trail();
  const log: string[] = [];
  let fails = true;
  const given = await trail.walk(async () => {
    const home = await trail.answer(async () => `home ${log.length}`);
    log.push(home);
    const forget = trail.mark();
    await trail.answer(async () => 'port');
    if (fails) {
      fails = false;
      forget();
      await trail.answer(() => Promise.reject(new Back()));
    }
    return home;
  });
  assert.deepEqual([log, given], [['home 0', 'home 1'], 'home 1']);
  assert.equal(trail.canGoBack, true);
});

test('other errors end the interview', async () => {
  const trail = new Trail();
  await assert.rejects(
    trail.walk(() => Promise.reject(new Error('interrupted'))),
    /interrupted/,
  );
  assert.equal(trail.canGoBack, false);
});
