import tseslint from 'typescript-eslint';
import { guardedHandlers } from './eslint-rules/guarded-handlers.js';
import { alone } from './dist/scripts/testing/plan.js'; // built before

/** The beginning of an SQL statement, in capitals. */
const sql = String.raw`/^\s*(SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|WITH \w+ AS|DECLARE \w+|CREATE (TABLE|INDEX)|ALTER TABLE)\b/`;
const literalImports = {
  selector: 'ImportExpression[source.type!="Literal"]',
  message: 'Write out what is imported, so that dependency-cruiser can hold it against its rules.',
};
const timeouts = {
  selector:
    "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.property.name='timeout']",
  message:
    'Node.js 20 collects the timeout before it comes; use withDeadline of src/base/concurrency.ts.',
};
const sqlMessage = 'Routes, requests, and what knows no table contain no SQL.';

/** Of classes: `#name`, or `private readonly name` of what a constructor is given. */
const member = ":matches(PropertyDefinition, MethodDefinition[kind!='constructor'])";

const privateMembers = {
  selector: `${member}[accessibility='private']`,
  message: 'Private members are written #name.',
};

/** Elements of a literal stand in it. */
const literalSpreads = {
  selector:
    ':matches(ObjectExpression > SpreadElement > ObjectExpression, :matches(ArrayExpression, CallExpression, NewExpression) > SpreadElement > ArrayExpression)',
  message: 'Write the elements without a literal around them.',
};

const remedy = 'or declare in scripts/testing/plan.ts that this file runs alone, and why.';

/** What would disturb the other test files of a process. */
const processWide = [
  {
    selector:
      'Program > ExpressionStatement > CallExpression[callee.name=/^(before|beforeEach|afterEach)$/]',
    message: `It runs for the tests of other files, too: do it where the file is read, or in a "describe", ${remedy}`,
  },
  {
    selector:
      ":matches(AssignmentExpression > .left, UnaryExpression[operator='delete'] > .argument):matches([object.object.name='process'][object.property.name='env'], [object.name='process'][property.name='env'])",
    message: `Other files have this environment, too: pass it to what the test starts, ${remedy}`,
  },
  {
    selector: "CallExpression[callee.object.name='process'][callee.property.name=/^(chdir|exit)$/]",
    message: `Other files are in this process, too: let a child do it, ${remedy}`,
  },
  {
    selector: 'ImportDeclaration[source.value=/held-memory/]',
    message: `Other files use memory, too: measure a process that the test starts, ${remedy}`,
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '.imgstore/', // being filled by the tests meanwhile
      'node_modules/',
      'clients/typescript/src/schema.ts',
      'migrations/schema.ts',
    ],
  },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/naming-convention': [
        'error',
        // What is taken out of another object has that one's name.
        { selector: 'variable', modifiers: ['destructured'], format: null },
        // A field of the interface that becomes a property has the interface's name; entities are types.
        { selector: 'variable', format: ['camelCase', 'snake_case', 'PascalCase'] },
      ],
      'no-restricted-syntax': ['error', privateMembers, literalSpreads],
    },
  },
  {
    files: ['**/*.ts', 'console/**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './console/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // node:test returns promises that the runner itself awaits.
    files: ['**/*.test.ts', 'test/**/*.ts', 'scripts/clients/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['test', 'describe', 'it', 'suite'], package: 'node:test' },
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { imgstore: guardedHandlers },
    rules: { 'imgstore/guarded-handlers': 'error' },
  },
  { files: ['scripts/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    files: ['migrations/chain/0*.ts'],
    rules: { 'no-restricted-syntax': ['error', privateMembers] },
  }, // frozen
  {
    files: ['src/**/*.ts', 'workers/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', privateMembers, literalSpreads, literalImports, timeouts],
    },
  },
  {
    files: ['**/*.test.ts'],
    ignores: Object.keys(alone),
    rules: {
      'no-restricted-syntax': ['error', privateMembers, literalSpreads, timeouts, ...processWide],
    },
  },
  {
    files: [
      'src/{base,store,imaging,server,cli}/**/*.ts',
      'src/http/*.ts',
      'src/http/openapi/**/*.ts',
      'src/**/*{routes,schemas}.ts',
    ],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        privateMembers,
        literalSpreads,
        literalImports,
        timeouts,
        { selector: `Literal[value=${sql}]`, message: sqlMessage },
        { selector: `TemplateElement[value.raw=${sql}]`, message: sqlMessage },
      ],
    },
  },
);
