/**
 * Rules for imports (`npm run lint`; test/lint/imports.test.ts tests each rule). They apply to static,
 * type-only, and dynamic imports alike.
 */

/** Modules of src/ in layers, lowest first: a module may import itself and modules of lower layers. */
const layers = [
  [
    'errors',
    'units',
    'amounts',
    'printable',
    'guarded',
    'concurrency',
    'installed-files',
    'shared-run',
  ],
  ['time', 'deadline'],
  ['os', 'telemetry'],
  ['config'],
  ['imaging', 'store', 'database'],
  ['audit'],
  ['postgres', 'auth', 'paging'],
  ['quota', 'reclaim', 'idempotency'],
  ['http'],
  ['console'],
  ['annotations', 'users', 'platforms', 'statistics'],
  ['images'],
  ['folders'],
  ['upload-sets'],
  ['changes'],
  ['webhooks'],
  ['deletion'],
  ['integrity'],
  ['operations'],
  ['jobs'],
  ['installation'],
  ['entities', 'stores'],
  ['service-database', 'tenants'],
  ['api'],
  ['app'],
  ['http-processes'],
  ['service'],
  ['doctor'],
  ['cli'],
];

const anyOf = (names) => `^src/(${names.join('|')})(/|\\.ts$)`;
const tests = '\\.test\\.ts$';

/** @param allowed the only folders that may import a package. */
const packageOnlyIn = (name, ...allowed) => ({
  name: `imports-of-package-${name}`,
  comment: `Only files of ${allowed.join(' and ')} may import ${name}.`,
  severity: 'error',
  from: { path: '^(src|workers)/', pathNot: [...allowed.map((path) => `^${path}`), tests] },
  to: { path: `node_modules/${name}/` },
});

const directions = layers.slice(0, -1).flatMap((layer, index) =>
  layer.map((module) => ({
    name: `imports-of-${module}`,
    comment: 'Modules import downward only: see the layers in .dependency-cruiser.js.',
    severity: 'error',
    from: { path: anyOf([module]), pathNot: tests },
    to: { path: '^src/', pathNot: anyOf([module, ...layers.slice(0, index).flat()]) },
  })),
);

export default {
  forbidden: [
    ...directions,
    {
      name: 'modules-are-in-layers',
      comment: 'Every module must be in a layer in .dependency-cruiser.js.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: anyOf(layers.flat()) },
    },
    {
      name: 'no-cycles',
      comment: 'Files that import each other can only be understood together.',
      severity: 'error',
      from: { path: '^(src|workers)/' },
      to: { circular: true },
    },
    {
      name: 'queries-stay-in-their-module',
      comment: "Modules use each other's services, never each other's queries.",
      severity: 'error',
      from: { path: '^src/([^/.]+)', pathNot: tests },
      to: { path: '^src/.+queries\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'routes-hold-no-sql',
      comment: 'Routes validate and respond; services and queries do the rest.',
      severity: 'error',
      from: { path: '(^|[/-])routes\\.ts$' },
      to: { path: ['queries\\.ts$', '^src/database/', 'node_modules/(typeorm|pg)/'] },
    },
    {
      name: 'jobs-touch-no-table',
      comment: 'Jobs define when work runs; the module that owns the table defines the work.',
      severity: 'error',
      from: { path: '^src/jobs/', pathNot: tests },
      to: { path: ['queries\\.ts$', '(^|/)entity\\.ts$', '^src/database/sql\\.ts$'] },
    },
    {
      name: 'http-holds-no-sql',
      comment: 'HTTP knows operations, not tables.',
      severity: 'error',
      from: { path: '^src/http/', pathNot: tests },
      to: { path: ['queries\\.ts$', '^src/database/sql\\.ts$', 'node_modules/(typeorm|pg)/'] },
    },
    {
      name: 'the-program-knows-no-tests',
      comment: 'Shipped code imports only shipped code.',
      severity: 'error',
      from: { path: '^(src|workers|migrations)/', pathNot: tests },
      to: { path: '^(test|testkit|bench|contract)/' },
    },
    {
      name: 'workers-know-the-port-alone',
      comment: 'The imaging process shares its protocol with the service, and nothing else.',
      severity: 'error',
      from: { path: '^workers/', pathNot: tests },
      to: {
        path: '^src/',
        pathNot:
          '^src/(imaging/(ffmpeg|formats|port|protocol)|guarded|installed-files|units)\\.ts$',
      },
    },
    {
      name: 'contract-knows-no-source',
      comment: 'The contract suite runs against any server of the interface.',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(src|workers|migrations)/' },
    },
    packageOnlyIn('express', 'src/http/'),
    packageOnlyIn('iconv-lite', 'src/http/'),
    packageOnlyIn('commander', 'src/cli/'),
    packageOnlyIn('inquirer', 'src/cli/'),
    packageOnlyIn('winston', 'src/telemetry/'),
    packageOnlyIn('prom-client', 'src/telemetry/'),
    packageOnlyIn('jsonwebtoken', 'src/auth/'),
    packageOnlyIn('node-cron', 'src/jobs/'),
    packageOnlyIn('minio', 'src/store/'),
    packageOnlyIn('sharp', 'workers/'),
    packageOnlyIn('piscina', 'src/imaging/', 'workers/'),
    packageOnlyIn('undici', 'src/webhooks/'),
    packageOnlyIn('standardwebhooks', 'src/webhooks/'),
    packageOnlyIn('ipaddr.js', 'src/webhooks/'),
    packageOnlyIn('age-encryption', 'src/operations/backup/'),
    packageOnlyIn('pg', 'src/database/', 'src/postgres/'),
    {
      name: 'typeorm-has-no-business-here',
      comment: 'What speaks to no database gets no data source.',
      severity: 'error',
      from: {
        path: [
          '^workers/',
          anyOf(['errors', 'os', 'config', 'telemetry', 'imaging', 'store', 'http']),
        ],
      },
      to: { path: 'node_modules/typeorm/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
};
