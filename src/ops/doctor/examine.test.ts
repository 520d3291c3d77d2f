import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { Home } from '../../base/config/home.js';
import { badConfiguration } from '../../base/errors/operator.js';
import { ok, warning, type Check } from './check.js';
import { DoctorContext, Skip } from './context.js';
import { examine, isFixable, applyFixes } from './examine.js';

const contextOf = (interrupted = new AbortController().signal): DoctorContext =>
  new DoctorContext({
    home: new Home(tmpdir()),
    env: {},
    interrupted,
    loadSettings: () => Promise.reject(badConfiguration('a mistake', { remedy: 'correct it' })),
    requireHome: async () => undefined,
  });

const check = (name: string, run: Check['run'], fix?: Check['fix']): Check => ({
  name,
  title: name,
  category: 'machine',
  run,
  ...(fix && { fix }),
});

test('checks do not make each other fail', async () => {
  const found = await examine(
    [
      check('explained', (context) => context.settings.open().then(() => ok(''))),
      check('dependent', (context) => context.config().then(() => ok(''))),
      check('skipping', () => {
        throw new Skip('there is no moon');
      }),
      check('failing', async () => {
        throw new RangeError('out of cheese');
      }),
      check('closed', async () => {
        throw Object.assign(new Error('EACCES: x'), { code: 'EACCES', syscall: 'open' });
      }),
      check('well', () => ok('fine')),
    ],
    contextOf(),
  );
  assert.deepEqual(
    found.map(({ diagnosis: { level, message } }) => [level, message]),
    [
      ['problem', 'a mistake'],
      ['skipped', 'Skipped because the settings cannot be read.'],
      ['skipped', 'Skipped because there is no moon.'],
      ['problem', 'The check failed: out of cheese'],
      ['problem', `This user (uid ${process.getuid?.()}) lacks permission: EACCES: x.`],
      ['ok', 'fine'],
    ],
  );
  assert.equal(found[0]?.diagnosis.remedy, 'correct it');
  assert.match(found[4]?.diagnosis.remedy ?? '', /^Run it as the user that owns the home/);
});

test('a fixed check runs again, and a failed fix reports its reason', async () => {
  let well = false;
  const curable = check(
    'curable',
    () => (well ? ok('fine') : warning('ill', 'rest')),
    async () => {
      well = true;
      return 'It rested.';
    },
  );
  const stubborn = check(
    'stubborn',
    () => warning('ill', 'rest'),
    async () => {
      throw new Error('no bed');
    },
  );
  const healthy = check(
    'healthy',
    () => ok('fine'),
    async () => assert.fail('nothing to cure'),
  );
  const context = contextOf();
  const found = await examine([curable, stubborn, healthy], context);
  assert.deepEqual(found.map(isFixable), [true, true, false]);
  const fixed = await applyFixes(found, context);
  assert.deepEqual(
    fixed.map(({ diagnosis, fixed }) => [diagnosis.level, fixed]),
    [
      ['ok', 'It rested.'],
      ['warning', 'It could not be fixed: The check failed: no bed'],
      ['ok', undefined],
    ],
  );
});

test('an interruption ends the examination, even if a check hangs', async () => {
  const stop = new AbortController();
  const hanging = check('hanging', () => new Promise(() => undefined));
  const examined = examine([hanging, hanging], contextOf(stop.signal));
  stop.abort(new Error('Ctrl-C'));
  await assert.rejects(examined, /Ctrl-C/);
});
