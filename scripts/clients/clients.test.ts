// npm run test:system -- clients: checks the document and the clients with the tools of platform developers, and
// runs the examples in Node.js and Chromium. Takes minutes, mostly for npm; as root, installs Chromium.
import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { imgstore, newPrivateHome } from '../../testkit/command.js';
import { lastFirst, type Scope } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { serveFiles, testBrowser } from './browser.js';
import { testGenerated, type Begun } from './generated.js';
import { installTools, project, runIn } from './project.js';

const scope = lastFirst({ after });
const begun = begin();
const site = await serveFiles(scope, begun);

/** The commands in the first two blocks of the client's README. */
async function readmeCommands(): Promise<string[]> {
  const readme = await readFile('clients/typescript/README.md', 'utf8');
  const blocks = [...readme.matchAll(/```sh\n(.+?)```/gs)].map(([, text = '']) => text);
  return blocks.flatMap((text) => text.trim().split('\n'));
}

/** @returns a project with the client as released, installed as its README says, and its examples. */
async function clientProject(projectScope: Scope): Promise<string> {
  const dir = await project(projectScope);
  const [pack, ...steps] = await readmeCommands();
  assert.equal(pack, 'npm pack ./clients/typescript');
  const from = join(process.cwd(), 'clients/typescript');
  await runIn(process.cwd(), 'npm', ['pack', from, '--silent', '--pack-destination', dir]);
  await runIn(dir, 'rm', ['package.json']);
  for (const step of steps) await runIn(dir, 'sh', ['-c', step]);
  await cp(join(from, 'examples'), join(dir, 'examples'), { recursive: true });
  return dir;
}

async function begin(): Promise<Begun> {
  const [tools, client] = [await installTools(scope), await clientProject(scope)];
  const home = await newPrivateHome(scope);
  await imgstore(['init', '--yes', '--home', home.dir]);
  const { url: baseUrl, user } = await serve(scope, home, ['--cors-origins', site], 'up');
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Begun['document'];
  const file = join(await project(scope), 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const server = { BASE: baseUrl, USER_ID: user.id, TOKEN: user.token };
  return { tools, client, document, file, server };
}

test('redocly lint finds nothing', async () => {
  const { tools, file } = await begun;
  const lint = ['lint', file, '--format=json'];
  const printed = await runIn(tools, join(tools, 'node_modules/.bin/redocly'), lint);
  const { totals, problems } = JSON.parse(printed.slice(printed.indexOf('{'))) as {
    totals: unknown;
    problems: unknown;
  };
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems));
});

testGenerated(begun);

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

testBrowser(begun, site);
