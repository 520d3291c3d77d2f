// Tests the client as released: packed, installed in an empty project, with its examples run.
import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { install, project, runIn } from './project.mjs';

/** The commands in the README's first two blocks. */
async function readmeCommands() {
  const readme = await readFile('clients/typescript/README.md', 'utf8');
  const blocks = [...readme.matchAll(/```sh\n(.+?)```/gs)].map(([, text]) => text);
  return blocks.flatMap((text) => text.trim().split('\n'));
}

/** @returns a project with the client installed as its README describes, and its examples. */
export async function clientProject(scope) {
  const dir = await project(scope);
  const [pack, ...steps] = await readmeCommands();
  assert.equal(pack, 'npm pack ./clients/typescript');
  const from = join(process.cwd(), 'clients/typescript');
  await runIn(process.cwd(), 'npm', ['pack', from, '--silent', '--pack-destination', dir]);
  await runIn(dir, 'rm', ['package.json']);
  for (const step of steps) {
    const [program, ...args] = step.split(' ');
    if (args[0] === 'install') await install(dir, ...args.slice(1));
    else await runIn(dir, program, args);
  }
  await cp(join(from, 'examples'), join(dir, 'examples'), { recursive: true });
  return dir;
}

/** @param begun promises `{ server, client }`. */
export function testPacked(begun) {
  test('the example for Node.js uploads and lists', async () => {
    const { server, client } = await begun;
    const env = {
      IMGSTORE_URL: server.BASE,
      IMGSTORE_USER: server.USER_ID,
      IMGSTORE_TOKEN: server.TOKEN,
    };
    const sample = join(process.cwd(), 'assets/sample.jpg');
    const printed = await runIn(client, process.execPath, ['examples/upload.mjs', sample], env);
    assert.match(printed, /^uploaded \S+sample\.jpg as [\da-f-]{36}: \d+x\d+ jpeg$/m);
    assert.match(printed, /^\d+ images, the newest:\n {2}\d{8}_\d{6} {2}\S+\.jpg$/m);
  });
}
