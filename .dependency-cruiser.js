/**
 * Rules for imports (`npm run lint`; test/lint/imports.test.ts tests each rule). They apply to static,
 * type-only, and dynamic imports alike.
 */

/** The rooms of src/, lowest first: a file imports files of its room, and of the rooms below it. */
const layers = [
  ['base'],
  ['store', 'imaging', 'database'],
  ['http'],
  ['library'],
  ['feed'],
  ['ops'],
  ['server'],
  ['cli'],
];

const anyOf = (rooms) => `^src/(${rooms.join('|')})/`;
const tests = '\\.test\\.ts$';

/** @param allowed the only folders that may import a package. */
const packageOnlyIn = (name, ...allowed) => ({
  name: `imports-of-package-${name}`,
  comment: `Only files of ${allowed.join(' and ')} may import ${name}.`,
  severity: 'error',
  from: { path: '^(src|workers)/', pathNot: [...allowed.map((path) => `^${path}`), tests] },
  to: { path: `node_modules/${name}/` },
});

/** The files of src/ that programs beside it (bench, scripts) may import: the faces of its rooms. */
const faces = [
  'base/',
  'database/(data-source|hosts|sql|postgres/[a-z-]+)\\.',
  'http/auth/secrets\\.',
  'library/images/(schemas|map/upkeep)\\.',
  'ops/(tenants|service-database|proxy-config)\\.',
  'cli/(program|commands?|commands/completion)\\.',
];

/**
 * The inner files of each room, which it alone imports; the others are its face to the rooms below it.
 * Statements (`*.sql.ts`) have a rule of their own.
 */
const inner = {
  base: ['config/settings/'],
  store: ['open-file\\.'],
  imaging: ['(?!(decoder-process|exif|ffmpeg|formats|port|queue|readings|sandbox|start|xmp)\\.)'],
  database: ['fair-pool\\.', 'postgres/(cluster|initdb|postmaster)\\.'],
  http: [
    '(body|call|compress|connections?|form|multipart|request-log)\\.',
    'auth/token-codec\\.',
    'openapi/(describe|errors|schemas)\\.',
  ],
  library: ['(annotations|platforms|statistics|upload-sets)/schemas\\.', 'tree/tree\\.'],
  feed: ['changes/(events|schemas)\\.', 'webhooks/delivery\\.'],
  ops: [
    'backup/((bucket|directory)-repository|copy-objects|generation|load-rows|manifest|secrets|snapshot)\\.',
    'doctor/checks/',
    '(move/copy|restore/obstacles|tar|upgrade/copy)\\.',
    'verify/(batches|contents|entity|objects|repair|run)\\.',
    'wal/(?!keep-wal\\.)',
  ],
  server: ['(?!service\\.)'],
  cli: [''],
};

const innerFiles = Object.entries(inner).map(
  ([room, paths]) => `^src/${room}/(${paths.join('|')})`,
);

/** What http/ does with HTTP alone; tokens, cursors, keys of requests and the audit are in tables. */
const plainHttp = '^src/http/(?!(auth|paging|idempotency|audit)/)';

const directions = layers.slice(0, -1).flatMap((layer, index) =>
  layer.map((room) => ({
    name: `imports-of-${room}`,
    comment: 'Rooms import downward only: see the layers in .dependency-cruiser.js.',
    severity: 'error',
    from: { path: anyOf([room]), pathNot: tests },
    to: { path: '^src/', pathNot: anyOf([room, ...layers.slice(0, index).flat()]) },
  })),
);

/** The slices of src/library/, lowest first. */
const slices = [
  ['quota', 'reclaim', 'statistics', 'holds'],
  ['users', 'platforms', 'annotations'],
  ['tree'],
  ['upload-sets'],
  ['images'],
  ['folders', 'links'],
  ['resumable'],
];

const slicesFrom = (index) => `^src/library/(${slices.slice(index).flat().join('|')})/`;

const slicesBuildOnLower = slices.slice(0, -1).flatMap((lower, index) =>
  lower.map((slice) => ({
    name: `imports-of-library-slice-${slice}`,
    comment: 'Slices import downward only: see those of the library in .dependency-cruiser.js.',
    severity: 'error',
    from: { path: `^src/library/${slice}/`, pathNot: tests },
    to: { path: slicesFrom(index), pathNot: `^src/library/${slice}/` },
  })),
);

export default {
  forbidden: [
    ...directions,
    ...slicesBuildOnLower,
    {
      name: 'files-are-in-rooms',
      comment: 'Every file of src/ is in a room that .dependency-cruiser.js lists.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: anyOf(layers.flat()) },
    },
    {
      name: 'inner-files-stay-in-their-room',
      comment:
        'Other rooms import the face of a room: see the inner files in .dependency-cruiser.js.',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: tests },
      to: { path: innerFiles, pathNot: '^src/$1/' },
    },
    {
      name: 'the-service-decodes-nothing',
      comment: 'Untrusted pictures are decoded in the imaging process, whose code is in workers/.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^workers/' },
    },
    {
      name: 'no-cycles',
      comment: 'Files that import each other can only be understood together.',
      severity: 'error',
      from: { path: '^(src|workers|console)/' },
      to: { circular: true },
    },
    {
      name: 'sql-stays-in-its-module',
      comment: "Modules use each other's services, never each other's statements.",
      severity: 'error',
      from: { path: '^src/([^/]+)/([^/.]+)', pathNot: tests },
      to: { path: '\\.sql\\.ts$', pathNot: ['^src/$1/$2/', '^src/$1/[^/]+$'] },
    },
    {
      name: 'routes-hold-no-sql',
      comment: 'Routes validate and respond; services do the rest.',
      severity: 'error',
      from: { path: '(^|[/-])routes\\.ts$' },
      to: { path: ['\\.sql\\.ts$', '^src/database/', 'node_modules/(typeorm|pg)/'] },
    },
    {
      name: 'jobs-touch-no-table',
      comment: 'Jobs define when work runs; the module that owns the table defines the work.',
      severity: 'error',
      from: { path: '^src/ops/jobs/', pathNot: tests },
      to: { path: ['\\.sql\\.ts$', '(^|/)entity\\.ts$', '^src/database/sql\\.ts$'] },
    },
    {
      name: 'http-holds-no-sql',
      comment: 'HTTP knows operations, not tables.',
      severity: 'error',
      from: { path: plainHttp, pathNot: tests },
      to: { path: ['\\.sql\\.ts$', '^src/database/sql\\.ts$', 'node_modules/(typeorm|pg)/'] },
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
          '^src/(imaging/(exif|ffmpeg|formats|port|protocol|readings|tiff-directory|xmp)|base/(guarded|installed-files|units))\\.ts$',
      },
    },
    {
      name: 'programs-know-faces-alone',
      comment: 'What measures or builds the program uses the faces of its rooms.',
      severity: 'error',
      from: { path: '^(bench|scripts)/' },
      to: { path: '^(dist/)?src/', pathNot: `^(dist/)?src/(${faces.join('|')})` },
    },
    {
      name: 'tests-know-faces-alone',
      comment:
        'Tests in test/ use HTTP, commands, and the faces of rooms; those of an inner file are beside it.',
      severity: 'error',
      from: { path: '^test/' },
      to: {
        path: [...innerFiles, '^src/.*(\\.sql|/entity)\\.ts$'],
        pathNot: '^src/(cli/(program|commands)|.+/schemas)\\.ts$',
      },
    },
    {
      name: 'the-console-is-a-client',
      comment:
        'The console knows the API, through the client that others use, too. A proof is checked by one code.',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        path: '^(src|workers|migrations|testkit)/',
        pathNot: '^src/feed/custody/(check-proof|notes)\\.ts$',
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
    packageOnlyIn('winston', 'src/base/telemetry/'),
    packageOnlyIn('prom-client', 'src/base/telemetry/'),
    packageOnlyIn('jsonwebtoken', 'src/http/auth/'),
    packageOnlyIn('jose', 'src/http/auth/'),
    packageOnlyIn('node-cron', 'src/ops/jobs/'),
    packageOnlyIn('minio', 'src/store/'),
    packageOnlyIn('sharp', 'workers/'),
    packageOnlyIn('piscina', 'src/imaging/', 'workers/'),
    packageOnlyIn('undici', 'src/http/outgoing'),
    packageOnlyIn('standardwebhooks', 'src/feed/webhooks/'),
    packageOnlyIn('ipaddr.js', 'src/http/outgoing'),
    packageOnlyIn('age-encryption', 'src/ops/backup/'),
    packageOnlyIn('pg', 'src/database/'),
    {
      name: 'typeorm-has-no-business-here',
      comment: 'What speaks to no database gets no data source.',
      severity: 'error',
      from: {
        path: ['^workers/', anyOf(['base', 'imaging', 'store']), plainHttp],
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
