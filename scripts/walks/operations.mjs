// npm run walk:operations: imports a tree twice, backs up, and suspends a platform on three nodes, as
// an operator would; the terminal output becomes the pictures in docs/walks. Needs curl and jq.
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Home } from '../../dist/src/base/config/home.js';
import { provisionDatabase } from '../../dist/src/database/postgres/provision.js';
import { imgstore } from '../../dist/testkit/command.js';
import { Started } from '../../dist/testkit/scope.js';
import { serve } from '../../dist/testkit/serving.js';
import { picture } from './picture.mjs';
import { record } from './terminal.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const photos = join(root, 'test/fixtures/photos');

const asked = (what) =>
  `for port in 8080 8081 8082; do curl -s -H "Authorization: User $TOKEN" 127.0.0.1:$port/api/v1/users/$KIM | jq -c '${what}'; done`;
const answers = asked('[.status_code, .error.code]');

const walks = {
  import: [
    '# A tree of pictures; then the same once more.',
    'imgstore import Pictures --user $KIM',
    'imgstore import Pictures --user $KIM',
  ],
  backup: [
    '# Everything; then what is new; then the proof.',
    'imgstore backup backup --copy',
    'imgstore import More --user $KIM 2> /dev/null',
    'imgstore backup backup --copy',
    'imgstore backup verify backup',
  ],
  suspended: [
    '# Three nodes answer; suspended, none of them does; resumed, all do.',
    answers,
    'imgstore platform suspend $SURVEY',
    answers,
    'imgstore platform resume $SURVEY',
    answers,
  ],
};

const scope = new Started();

async function command(home, ...words) {
  const { code, stdout, stderr, json } = await imgstore([...words, '--json', '--home', home.dir]);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return json();
}

/** Three nodes of one installation, on the ports 8080 to 8082. */
async function threeNodes(dir) {
  const { url, close } = await provisionDatabase({
    home: new Home(join(dir, 'server')),
    report: () => undefined,
  });
  scope.after(close);
  const [first, ...others] = ['imgstore', 'node2', 'node3'].map(
    (name) => new Home(join(dir, name)),
  );
  await command(first, 'init', '--yes', '--database-url', url);
  for (const home of others) {
    await mkdir(home.dir);
    await symlink(first.store, home.store);
    const key = ['--master-key-file', join(first.secrets, 'master.key')];
    await command(home, 'init', '--yes', '--database-url', url, ...key);
  }
  for (const [n, home] of [first, ...others].entries()) {
    await serve(scope, home, ['--port', String(8080 + n)]);
  }
  return first;
}

/** The pictures to import: a small tree, and one picture for later. */
async function putPictures(dir) {
  for (const [from, to] of [
    ['DSCN0010.jpg', 'Pictures/2008/Arezzo/DSCN0010.jpg'],
    ['Canon_40D.jpg', 'Pictures/2008/Canon_40D.jpg'],
    ['landscape_6.jpg', 'Pictures/Mountains/landscape_6.jpg'],
    ['samplefilehub.heif', 'Pictures/Mountains/samplefilehub.heif'],
    ['image02206.jpg', 'Pictures/Mountains/image02206.jpg'],
    ['ATTRIBUTION.md', 'Pictures/notes.txt'],
    ['Arbitro.tiff', 'More/Arbitro.tiff'],
  ]) {
    await cp(join(photos, from), join(dir, to));
  }
}

try {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-walk-'));
  scope.after(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755); // the database's own user needs access
  await putPictures(dir);
  const home = await threeNodes(dir);
  const { id } = await command(home, 'platform', 'create', '--name', 'Field survey');
  const naming = ['--platform', id, '--platform-user-id', 'kim'];
  const kim = await command(home, 'user', 'create', ...naming);
  const env = {
    PATH: `${join(root, 'bin')}:${process.env.PATH}`,
    IMGSTORE_HOME: home.dir,
    SURVEY: id,
    KIM: kim.user_id,
    TOKEN: kim.access_token,
  };
  for (const [name, lines] of Object.entries(walks)) {
    const text = await record(dir, lines, env);
    await writeFile(join(root, 'docs/walks', `${name}.svg`), picture(text));
  }
} finally {
  await scope.end();
}
