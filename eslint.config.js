import tseslint from 'typescript-eslint';
import { guardedHandlers } from './eslint-rules/guarded-handlers.js';

/**
 * The rooms of src/, lowest first. A room may import from rooms on lower shelves and from itself,
 * never from its neighbours on the same shelf nor from above. `open` shelves let neighbours meet.
 */
const shelves = [
  { rooms: ['errors', 'guard'] },
  { rooms: ['config', 'telemetry', 'time'] },
  { rooms: ['store', 'imaging', 'database'] },
  { rooms: ['auth'] },
  { rooms: ['http'] },
  // Slices meet through each other's services; queries and entities are closed below.
  {
    rooms: ['platforms', 'users', 'folders', 'images', 'annotations', 'statistics'],
    open: true,
  },
  { rooms: ['jobs', 'operations'] },
  { rooms: ['stores'] },
  { rooms: ['app'] },
  { rooms: ['service'] },
  { rooms: ['cli'] },
];

/** Import paths that a room must not use, as patterns of no-restricted-imports. */
function forbidden(shelf, room) {
  const above = shelves.slice(shelf + 1).flatMap((s) => s.rooms);
  const beside = shelves[shelf].open ? [] : shelves[shelf].rooms.filter((r) => r !== room);
  return [...above, ...beside].flatMap((r) => [`**/../${r}/**`, `**/../${r}.js`]);
}

const slices = shelves.find((s) => s.open).rooms;

const directions = shelves.flatMap(({ rooms }, shelf) =>
  rooms.map((room) => ({
    files: [`src/${room}/**/*.ts`, `src/${room}.ts`],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: forbidden(shelf, room),
              message: 'Imports point one way: see the shelves in eslint.config.js.',
            },
            ...(slices.includes(room)
              ? [
                  {
                    group: slices
                      .filter((s) => s !== room)
                      .flatMap((s) => [`**/../${s}/queries.js`, `**/../${s}/entity.js`]),
                    message: 'Slices meet through services, never through tables or queries.',
                  },
                ]
              : []),
          ].filter((p) => p.group.length > 0),
        },
      ],
    },
  })),
);

/** Of classes: `#name`, or `private readonly name` of what a constructor is given. */
const member = ":matches(PropertyDefinition, MethodDefinition[kind!='constructor'])";

export default tseslint.config(
  {
    ignores: ['dist/', 'node_modules/', 'clients/typescript/src/schema.ts', 'migrations/schema.ts'],
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
      'no-restricted-syntax': [
        'error',
        {
          selector: `${member}[accessibility='private'], ${member}[accessibility='protected'][override=false]`,
          message: 'Private members are written #name.',
        },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
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
    files: ['**/*.test.ts', 'test/**/*.ts'],
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
  ...directions,
);
