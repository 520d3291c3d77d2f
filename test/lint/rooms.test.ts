import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cruise } from 'dependency-cruiser';
import type { ICruiseOptions, ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser';
import { ESLint } from 'eslint';
import { temporaryDirectory } from '../../testkit/temporary.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { default: config } = (await import(
  pathToFileURL(join(root, '.dependency-cruiser.js')).href
)) as {
  default: { forbidden: (IForbiddenRuleType & { name: string })[]; options: ICruiseOptions };
};
const rules = config.forbidden.map(({ name }) => name);

const asStatic = (from: string) => `import { x } from '${from}'; void x;`;
const asType = (from: string) => `import type { x } from '${from}'; export type Y = typeof x;`;
const asDynamic = (from: string) => `export const load = () => import('${from}');`;
const forms = { static: asStatic, 'type-only': asType, dynamic: asDynamic };

/** A file that breaks a rule, and what it imports to do so, for every rule there is. */
const breaches: [rule: string, file: string, imported: string][] = [
  ...rules.flatMap((rule): [string, string, string][] => {
    const of = /^imports-of-(package-)?(.+)$/.exec(rule);
    if (!of) return [];
    return of[1]
      ? [[rule, 'src/folders/bad.ts', of[2] ?? '']]
      : [[rule, `src/${of[2]}/bad.ts`, '../cli/x.js']];
  }),
  ['imports-of-images', 'src/images/upload/bad.ts', '../../folders/service.js'],
  ['imports-of-users', 'src/users/bad.ts', '../images/service.js'],
  ['rooms-are-listed', 'src/app.ts', './attic/x.js'],
  ['no-cycles', 'src/time.ts', './time.js'],
  ['queries-stay-in-their-room', 'src/folders/bad.ts', '../images/list/queries.js'],
  ['queries-stay-in-their-room', 'src/deletion/bad.ts', '../images/removal-queries.js'],
  ['routes-hold-no-sql', 'src/users/routes.ts', './queries.js'],
  ['routes-hold-no-sql', 'src/images/memo-routes.ts', '../database/sql.js'],
  ['jobs-touch-no-table', 'src/jobs/bad.ts', '../images/queries.js'],
  ['jobs-touch-no-table', 'src/jobs/bad.ts', '../images/entity.js'],
  ['http-holds-no-sql', 'src/http/bad.ts', '../database/sql.js'],
  ['the-program-knows-no-tests', 'src/app.ts', '../testkit/x.js'],
  ['workers-know-the-port-alone', 'workers/bad.ts', '../src/database/sql.js'],
  ['contract-knows-no-source', 'contract/bad.ts', '../src/time.js'],
  ['typeorm-has-no-business-here', 'src/http/bad.ts', 'typeorm'],
];

const folder = await temporaryDirectory('rooms');
after(() => rm(folder, { recursive: true }));
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
await writeFile(join(folder, 'tsconfig.json'), '{}');
await writeFile(join(folder, 'package.json'), '{ "type": "module" }');

async function put(file: string, code: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), code);
}

/** @returns the rules that a file breaks that imports this, in a tree with nothing else. */
async function broken(file: string, imported: string, code: string): Promise<string[]> {
  const rooms = ['src', 'workers', 'contract', 'testkit'];
  for (const room of rooms) await rm(join(folder, room), { recursive: true, force: true });
  await put(file, code);
  const target = join(dirname(file), imported.replace(/\.js$/, '.ts'));
  if (imported.startsWith('.') && target !== file) await put(target, 'export const x = 1;');
  const { output } = await cruise([file], {
    ...config.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

test('every rule of imports has a file that breaks it', () => {
  assert.deepEqual(
    rules.filter((rule) => !breaches.some(([name]) => name === rule)),
    [],
  );
});

for (const [rule, file, imported] of breaches) {
  test(`${rule}: ${file} must not import ${imported}`, async () => {
    for (const [form, write] of Object.entries(forms)) {
      const found = await broken(file, imported, write(imported));
      assert.ok(found.includes(rule), `${form}: ${found.join(', ')}`);
    }
  });
}

test('a file that keeps the rules breaks none', async () => {
  for (const write of Object.values(forms)) {
    const imported = '../images/service.js';
    assert.deepEqual(await broken('src/folders/good.ts', imported, write(imported)), []);
  }
});

// With CI set in the environment, typescript-eslint would read the file on disk instead of the text.
const parserOptions = { disallowAutomaticSingleRunInference: true };
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions } },
});
const complaints = async (file: string, code: string): Promise<string[]> => {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? '');
};

test('SQL outside of queries, and imports that cannot be seen, are refused', async () => {
  const sql = 'export const q = `\n  SELECT id FROM images`;\n';
  assert.deepEqual(await complaints('src/images/service.ts', sql), ['no-restricted-syntax']);
  assert.deepEqual(await complaints('src/images/queries.ts', sql), []);
  const hidden = 'export const load = (name: string): Promise<unknown> => import(name);\n';
  assert.deepEqual(await complaints('src/app.ts', hidden), ['no-restricted-syntax']);
});
