// npm run test:system -- clients: checks the document and the clients with the tools of platform developers, and
// runs the examples in Node.js and Chromium. Takes minutes, mostly for npm; as root, installs Chromium.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { imgstore, newPrivateHome } from '../../dist/testkit/command.js';
import { lastFirst } from '../../dist/testkit/scope.js';
import { serve } from '../../dist/testkit/serving.js';
import { serveFiles, testBrowser } from './browser.mjs';
import { testGenerated } from './generated.mjs';
import { clientProject, testPacked } from './packed.mjs';
import { project, runIn } from './project.mjs';
import { installTools } from './tools.mjs';

const scope = lastFirst({ after });
const begun = begin();
const site = await serveFiles(scope, begun);

async function begin() {
  const [tools, client] = [await installTools(scope), await clientProject(scope)];
  const home = await newPrivateHome(scope);
  await imgstore(['init', '--yes', '--home', home.dir]);
  const { greeting } = await serve(scope, home, ['--cors-origins', site], 'up');
  const document = await (await fetch(`${greeting.address}/openapi.json`)).json();
  const file = join(await project(scope), 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const { address: baseUrl, user } = greeting;
  // Named like the environment variables of the programs that use it.
  const server = { BASE: baseUrl, USER_ID: user.user_id, TOKEN: user.access_token };
  return { tools, client, document, file, server };
}

test('redocly lint finds nothing', async () => {
  const { tools, file } = await begun;
  const lint = ['lint', file, '--format=json'];
  const printed = await runIn(tools, join(tools, 'node_modules/.bin/redocly'), lint);
  const { totals, problems } = JSON.parse(printed.slice(printed.indexOf('{')));
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems));
});

testGenerated(begun);
testPacked(begun);
testBrowser(begun, site);
