import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IForbiddenRuleType,
} from 'dependency-cruiser';
import { ESLint } from 'eslint';
import { temporaryDirectory } from '../../testkit/temporary.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { default: config } = (await import(
  pathToFileURL(join(root, '.dependency-cruiser.js')).href
)) as {
  default: { forbidden: (IForbiddenRuleType & { name: string })[]; options: ICruiseOptions };
};
const rules = config.forbidden.map(({ name }) => name);

/** Forms of imports, with unique names, since a file may break several rules. */
const forms: Readonly<Record<string, (from: string, n: number) => string>> = {
  static: (from, n) => `import { x as x${n} } from '${from}'; void x${n};\n`,
  'type-only': (from, n) =>
    `import type { x as x${n} } from '${from}'; export type Y${n} = typeof x${n};\n`,
  dynamic: (from, n) => `export const load${n} = () => import('${from}');\n`,
};

/** For every rule, a file that breaks it with an import. */
const breaches: [rule: string, file: string, imported: string][] = [
  ...rules.flatMap((rule): [string, string, string][] => {
    const [of, kind, name = ''] = /^imports-of-(package-|library-slice-)?(.+)$/.exec(rule) ?? [];
    if (of === undefined) return [];
    if (kind === 'package-') return [[rule, 'src/library/folders/bad.ts', name]];
    return kind === undefined
      ? [[rule, `src/${name}/bad.ts`, '../cli/x.js']]
      : [[rule, `src/library/${name}/bad.ts`, '../resumable/x.js']];
  }),
  ['imports-of-http', 'src/http/auth/bad.ts', '../../library/users/users.js'],
  ['imports-of-store', 'src/store/bad.ts', '../database/sql.js'],
  ['files-are-in-rooms', 'src/server/app.ts', '../attic/x.js'],
  ['files-are-in-rooms', 'src/server/app.ts', '../x.js'],
  ['inner-files-stay-in-their-room', 'src/library/bad.ts', '../http/multipart.js'],
  ['inner-files-stay-in-their-room', 'src/library/bad.ts', '../imaging/process-pool.js'],
  ['inner-files-stay-in-their-room', 'src/cli/bad.ts', '../ops/doctor/checks/store.js'],
  ['inner-files-stay-in-their-room', 'src/cli/bad.ts', '../ops/wal/segments.js'],
  ['the-service-decodes-nothing', 'src/http/bad.ts', '../../workers/render.js'],
  ['no-cycles', 'src/base/time.ts', './time.js'],
  ['no-cycles', 'console/core/i18n.ts', './i18n.js'],
  ['sql-stays-in-its-module', 'src/library/folders/bad.ts', '../images/list/list.sql.js'],
  ['sql-stays-in-its-module', 'src/library/tree/bad.ts', '../images/images.sql.js'],
  ['routes-hold-no-sql', 'src/library/users/routes.ts', './users.sql.js'],
  ['routes-hold-no-sql', 'src/library/images/annotation-routes.ts', '../../database/sql.js'],
  ['jobs-touch-no-table', 'src/ops/jobs/bad.ts', '../../library/images/images.sql.js'],
  ['jobs-touch-no-table', 'src/ops/jobs/bad.ts', '../../library/images/entity.js'],
  ['http-holds-no-sql', 'src/http/bad.ts', '../database/sql.js'],
  ['the-program-knows-no-tests', 'src/server/app.ts', '../../testkit/x.js'],
  ['workers-know-the-port-alone', 'workers/bad.ts', '../src/database/sql.js'],
  ['programs-know-faces-alone', 'bench/bad.ts', '../src/library/images/images.sql.js'],
  ['tests-know-faces-alone', 'test/api/bad.ts', '../../src/http/multipart.js'],
  ['tests-know-faces-alone', 'test/api/bad.ts', '../../src/library/images/images.sql.js'],
  ['tests-know-faces-alone', 'test/api/bad.ts', '../../src/library/images/entity.js'],
  ['the-console-is-a-client', 'console/bad.ts', '../src/base/time.js'],
  ['contract-knows-no-source', 'contract/bad.ts', '../src/base/time.js'],
  ['typeorm-has-no-business-here', 'src/http/bad.ts', 'typeorm'],
];

const folder = await temporaryDirectory('imports');
after(() => rm(folder, { recursive: true }));
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
await writeFile(join(folder, 'tsconfig.json'), '{}');
await writeFile(join(folder, 'package.json'), '{ "type": "module" }');

type Import = readonly [file: string, imported: string];

/** The file that a relative import refers to; undefined for a package. */
const targetOf = ([file, imported]: Import): string | undefined =>
  imported.startsWith('.') ? join(dirname(file), imported.replace(/\.js$/, '.ts')) : undefined;

/** A file that breaks a rule, and its import. */
interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** Writes a tree of files with only these imports, and checks it against the rules. */
async function violations(form: string, imports: readonly Import[]): Promise<Violation[]> {
  const code = new Map<string, string>();
  const add = (file: string, text: string) => code.set(file, (code.get(file) ?? '') + text);
  for (const target of new Set(imports.map(targetOf))) {
    if (target !== undefined) add(target, 'export const x = 1;\n');
  }
  imports.forEach(([file, imported], n) => add(file, forms[form]?.(imported, n) ?? ''));
  for (const name of ['src', 'workers', 'contract', 'testkit', 'bench', 'console', 'test']) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  for (const [file, text] of code) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const { output } = await cruise([...new Set(imports.map(([file]) => file))], {
    ...config.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  });
  return (output as ICruiseResult).summary.violations.map(({ rule, from, to }) => ({
    rule: rule.name,
    from,
    to,
  }));
}

// Before the first test, because the tree is removed after the last one.
const imports = breaches.map(([, file, imported]): Import => [file, imported]);
const results: { form: string; found: Violation[]; good: Violation[] }[] = [];
for (const form of Object.keys(forms)) {
  results.push({
    form,
    found: await violations(form, imports),
    good: await violations(form, [['src/library/folders/good.ts', '../images/images.js']]),
  });
}

test('every rule of imports has a file that breaks it', () => {
  assert.deepEqual(
    rules.filter((rule) => !breaches.some(([name]) => name === rule)),
    [],
  );
});

for (const { form, found, good } of results) {
  describe(`with a ${form} import`, () => {
    for (const [rule, file, imported] of breaches) {
      test(`${rule}: ${file} must not import ${imported}`, () => {
        const target = targetOf([file, imported]);
        const isImported = (to: string): boolean =>
          target === undefined ? to.includes(`node_modules/${imported}/`) : to === target;
        const seen = found.filter(({ from, to }) => from === file && isImported(to));
        assert.ok(
          seen.some((one) => one.rule === rule),
          JSON.stringify(seen),
        );
      });
    }

    test('a file that follows the rules breaks none', () => assert.deepEqual(good, []));
  });
}

// These rules need no type information, which is slow to compute.
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { languageOptions: { parserOptions: { project: null } } },
  ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
});
const complaints = async (file: string, code: string): Promise<string[]> => {
  const [result] = await eslint.lintText(code, { filePath: join(root, file) });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId ?? '');
};

test('SQL in routes and in HTTP, and imports with a computed name, are refused', async () => {
  const sql = 'export const q = `\n  SELECT id FROM images`;\n';
  for (const file of ['http/app', 'library/images/routes', 'library/images/schemas', 'cli/main']) {
    assert.deepEqual(await complaints(`src/${file}.ts`, sql), ['no-restricted-syntax']);
  }
  for (const file of ['http/auth/tokens', 'library/images/images.sql', 'library/images/service']) {
    assert.deepEqual(await complaints(`src/${file}.ts`, sql), []);
  }
  const hidden = 'export const load = (name: string): Promise<unknown> => import(name);\n';
  assert.deepEqual(await complaints('src/server/app.ts', hidden), ['no-restricted-syntax']);
});

test('a signal whose timeout Node.js 20 would garbage-collect is refused', async () => {
  const forgotten =
    'export const until = (signal: AbortSignal): AbortSignal =>\n' +
    '  AbortSignal.any([signal, AbortSignal.timeout(1)]);\n';
  assert.deepEqual(await complaints('src/server/app.ts', forgotten), ['no-restricted-syntax']);
});

test('a literal that is spread into another one at once is refused', async () => {
  for (const code of ['[...[1, 2], 3]', '({ ...{ x: 1 }, y: 2 })', 'Math.max(...[1, 2], 3)']) {
    const found = await complaints('src/server/app.ts', `export const value = ${code};\n`);
    assert.deepEqual(found, ['no-restricted-syntax'], code);
  }
  const given = 'export const list = (some: number[]): number[] => [...some, 3];\n';
  assert.deepEqual(await complaints('src/server/app.ts', given), []);
});
