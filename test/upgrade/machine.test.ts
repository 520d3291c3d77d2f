import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Home } from '../../src/base/config/home.js';
import { run } from '../../src/base/os/run.js';
import { newHome } from '../../testkit/command.js';
import { homeWithCluster } from '../../testkit/copied-home.js';
import { linkEngine } from '../../testkit/engine.js';
import { hosted } from '../../testkit/hosted-command.js';
import { longForm } from '../../testkit/long-form.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { serve, type Appliance } from '../../testkit/appliance.js';

// docs/moving.md, word for word. Another directory and another port stand for the other machine; instead
// of systemctl, the test itself starts and stops the service.

const page = await readFile(new URL('../../../docs/moving.md', import.meta.url), 'utf8');

/** The commands of a section, each with the machine that it is for. */
function commandsOf(heading: string): { machine: 'old' | 'new'; command: string }[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(heading)) ?? '';
  let machine: 'old' | 'new' = 'old';
  const commands: { machine: 'old' | 'new'; command: string }[] = [];
  section.split(/^```$/m).forEach((text, index) => {
    if (index % 2 === 0) {
      const named = [...text.matchAll(/[Oo]n the (old|new) (?:machine|one)/g)].at(-1)?.[1];
      machine = named === undefined ? machine : (named as 'old' | 'new');
    } else {
      for (const command of text.trim().split('\n')) commands.push({ machine, command });
    }
  });
  return commands;
}

const scope = lastFirst({ after });
const old = await homeWithCluster(scope);
let serving: Appliance | undefined = await serve(scope, old, [], 'up');
const { user } = serving;
for (let n = 0; n < 3; n += 1) await user.upload();

/** Runs the commands of a section. @returns the service of the new machine. */
async function follow(parent: Scope, heading: string): Promise<Appliance> {
  const homes = { old, new: await newHome(parent) };
  await linkEngine(homes.new);
  const desk = dirname(homes.new.dir);
  for (const { machine, command } of commandsOf(heading)) {
    if (command === 'systemctl stop imgstore') {
      await serving?.end();
      serving = undefined;
    } else if (command === 'systemctl start imgstore') {
      serving = await serve(parent, homes[machine]);
    } else {
      await type(command, homes[machine], desk);
    }
  }
  assert.ok(serving, 'the page ends with a start');
  return serving;
}

/** Runs a command on the machine that has this home. */
async function type(command: string, home: Home, desk: string): Promise<void> {
  const here = command
    .replaceAll('/var/lib/imgstore', home.dir)
    .replaceAll('/mnt/backup', join(desk, 'backup'));
  const env = {
    IMGSTORE_HOME: home.dir,
    IMGSTORE_BACKUP_PASSPHRASE: 'correct horse battery staple',
  };
  if (here.startsWith('imgstore ')) {
    const { code, stdout, stderr } = await hosted(here.split(' ').slice(1), { env });
    assert.equal(code, 0, `${here}\n${stdout}${stderr}`);
  } else {
    const { code, output } = await run('/bin/bash', ['-c', `cd "${desk}" && ${here}`]);
    assert.equal(code, 0, `${here}\n${output}`);
  }
}

describe('a move to another machine', () => {
  // test/backup/restore.test.ts tests restoring separately.
  for (const heading of [...(longForm ? ['Restore a backup'] : []), 'Copy the home']) {
    test(`as described under "${heading}" keeps tokens, images, and files`, async (t) => {
      assert.ok(commandsOf(heading).length >= 5);
      user.tenant.client.base = (await follow(lastFirst(t), heading)).url;
      const { items } = await user.list();
      assert.equal(items.length, 3);
      for (const { org_path_url: link } of items) assert.equal((await fetch(link)).status, 200);
      await user.upload();
    });
  }
});
