import { fileURLToPath } from 'node:url';
import { ensureEngine, findEngine } from '../src/database/postgres/ensure-engine.js';
import { ensureInstalled, installed, type Wanted } from './installed.js';
import { findNginx, hasNginx } from './nginx.js';

/** Programs that tests run. */
export interface Needed {
  /** As in "The tests of … need …". */
  readonly purpose: string;
  readonly packages: readonly string[];
  /** Words of the test files that need them, as for `npm test`. */
  readonly tests: readonly string[];
  readonly areThere: () => Promise<boolean>;
  readonly install: (report: (message: string) => void) => Promise<unknown>;
  /** Their tests are skipped where only root could install them. */
  readonly skips: boolean;
}

const isRoot = process.getuid?.() === 0;

/** PostgreSQL is unpacked there once, if apt may not install it. */
export const engineFolder = fileURLToPath(new URL('../../.imgstore/engine', import.meta.url));

/**
 * Packages of Debian. @param skips whether tests are skipped without them, rather than refused.
 * @param instead a variable that names a server elsewhere.
 */
const debian = (wanted: Wanted, tests: readonly string[], skips = true, instead = ''): Needed => ({
  ...wanted,
  tests,
  areThere: async () => Boolean(process.env[instead]) || installed(wanted.programs),
  install: (report) => ensureInstalled(wanted, report),
  skips,
});

/** A package, or more, named like their programs. */
const named = (purpose: string, packages: readonly string[], tests: readonly string[]): Needed =>
  debian({ purpose, programs: packages, packages }, tests);

export const programs = {
  engine: {
    purpose: 'All tests',
    packages: ['PostgreSQL with PostGIS'],
    tests: [''],
    areThere: async () =>
      Boolean(process.env.IMGSTORE_TEST_DATABASE_URL ?? (await findEngine(engineFolder))),
    install: (report) => ensureEngine(engineFolder, report),
    skips: false,
  },
  ceph: debian(
    {
      purpose: 'The tests of the S3 store',
      programs: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph'],
      packages: ['radosgw', 'ceph-mon', 'ceph-osd'],
      otherwise: 'point IMGSTORE_TEST_S3_ENDPOINT at an S3 server (see CONTRIBUTING.md)',
    },
    [
      '/s3',
      'test/move',
      'backup/elsewhere',
      'test/cli/wizard',
      'store/stalled-readers',
      'console/browser/marking',
    ],
    false,
    'IMGSTORE_TEST_S3_ENDPOINT',
  ),
  nginx: {
    purpose: 'The tests behind nginx',
    packages: ['nginx (only unpacked)'],
    tests: ['nginx', 'faults/early-answers'],
    areThere: async () => hasNginx(),
    install: findNginx,
    skips: false,
  },
  archivers: debian(
    {
      purpose: 'The tests of archives',
      programs: ['unzip', '7z', 'bsdtar'],
      packages: ['unzip', 'p7zip-full', 'libarchive-tools'],
    },
    ['test/archives'],
    false,
  ),
  documents: debian(
    {
      purpose: 'The tests of ledgers',
      programs: ['pdfinfo', 'qpdf'],
      packages: ['poppler-utils', 'qpdf'],
    },
    ['test/ledgers'],
    false,
  ),
  office: debian(
    {
      purpose: 'The test of workbooks',
      programs: ['soffice'],
      packages: ['libreoffice-calc-nogui'],
    },
    ['ledgers/workbook'],
  ),
  go: debian(
    {
      purpose: 'The test of logs with tools of others',
      programs: ['go'],
      packages: ['golang-go', 'golang-golang-x-mod-dev'],
    },
    ['custody/others'],
  ),
  ffmpeg: debian(
    { purpose: 'Pictures in HEIC', programs: ['ffmpeg'], packages: ['ffmpeg'] },
    ['imaging/heic-decoders', 'imaging/incomplete'],
    false,
  ),
  chromium: debian(
    {
      purpose: 'The tests in a browser',
      programs: ['chromium'],
      packages: ['chromium', 'fonts-noto-cjk'],
    },
    ['test/console'],
  ),
  systemd: debian(
    {
      purpose: 'The tests of the units',
      programs: ['systemd-notify', 'systemd-analyze'],
      packages: ['systemd'],
    },
    ['test/packages'],
  ),
  bubblewrap: debian(
    {
      purpose: 'The tests of the sandbox and of purge',
      programs: ['bwrap'],
      packages: ['bubblewrap'],
    },
    ['imaging/sandbox', 'packages/purge'],
  ),
  shells: named('The tests of completion', ['zsh', 'fish'], ['cli/completion']),
  pooler: named('The tests of poolers', ['pgbouncer'], ['faults/database-changes']),
  exiftool: debian(
    {
      purpose: 'The test of what links tell',
      programs: ['exiftool'],
      packages: ['libimage-exiftool-perl'],
    },
    ['api/link-metadata'],
  ),
  mandoc: named('The tests of the man page', ['mandoc'], ['docs/man-page']),
} satisfies Record<string, Needed>;

/** Whether one of the test files needs these programs. */
export const areNeeded = ({ tests }: Needed, files: readonly string[]): boolean =>
  files.some((file) => tests.some((word) => file.includes(word)));

/**
 * Says which programs the test files need and this machine lacks, and installs them, before any test
 * runs: otherwise several would install one at the same time, and a program exists before it works.
 */
export async function installPrograms(
  files: readonly string[],
  report: (message: string) => void,
): Promise<void> {
  const missing: Needed[] = [];
  for (const one of Object.values<Needed>(programs)) {
    const wanted = areNeeded(one, files) && (isRoot || !one.skips);
    if (wanted && !(await one.areThere())) missing.push(one);
  }
  if (missing.length === 0) return;
  const lines = missing.map(({ purpose, packages }) => `  ${purpose}: ${packages.join(', ')}\n`);
  process.stderr.write(
    `Installing what these tests need and this machine lacks:\n${lines.join('')}`,
  );
  for (const { install } of missing) await install(report);
}

/** Options of tests that need these programs. */
export const needs = async ({ areThere, packages }: Needed): Promise<{ skip?: string }> =>
  isRoot || (await areThere())
    ? {}
    : { skip: `needs ${packages.join(' and ')}, and root to install this` };
