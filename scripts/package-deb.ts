// npm run package:deb [-- --out DIR --version X --compression none|gzip|xz]: builds
// imgstore_X_ARCH.deb with the Node.js of the image and the production packages of the lockfile.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { version as ownVersion } from '../src/base/installed-files.js';
import { installNode, nodeDependencies } from './package/node-binary.js';
import { findMaintainer, orStop } from './package/maintainer.js';
import { layTree, root, sums } from './package/tree.js';

/** Versions of FFmpeg's libavcodec, which decodes HEIC faster: see docs/adr/0009-structure-before-decoding.md. */
const codecs = [61, 60, 59, 58, 62].map((n) => `libavcodec${n}`);

/** Acceptable PostgreSQL versions with a PostGIS package, besides the distribution's default. */
const majors = [18, 17, 16, 15];

/** Only a private database needs a local PostgreSQL; a node uses an external one. */
const recommended = [
  'systemd',
  'bubblewrap',
  'ca-certificates',
  'openssl',
  'postgresql (>= 15)',
  ['postgresql-postgis', ...majors.map((n) => `postgresql-${n}-postgis-3`)].join(' | '),
  codecs.join(' | '),
];

interface Described {
  readonly version: string;
  readonly architecture: string;
  readonly kilobytes: number;
  readonly maintainer: string;
  readonly dependencies: readonly string[];
}

const control = (about: Described) => `Package: imgstore
Version: ${about.version}
Architecture: ${about.architecture}
Maintainer: ${about.maintainer}
Installed-Size: ${about.kilobytes}
Depends: ${['adduser', ...about.dependencies].join(', ')}
Recommends: ${recommended.join(', ')}
Section: web
Priority: optional
Description: self-hosted image storage
 An HTTP API for the photographs of a platform's users, over PostgreSQL with
 PostGIS and an object store: folders, places, memos, edited versions, a trash,
 searches by map and radius, and statistics. Originals are kept bit for bit.
`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.' },
    version: { type: 'string' },
    compression: { type: 'string', default: 'xz' },
  },
});
const { compression } = values;
const version = (values.version ?? ownVersion()).replace('-', '~'); // sorts before the release itself
const maintainer = orStop(findMaintainer);
const work = mkdtempSync(join(tmpdir(), 'imgstore-deb-'));
try {
  const tree = join(work, 'tree');
  mkdirSync(tree);
  const node = installNode(join(work, 'node'));
  await layTree(tree, { version, maintainer, node });
  if (values.version) {
    const file = join(tree, 'usr/lib/imgstore/package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, version: values.version }, null, 2));
  }
  const { md5sums, kilobytes } = sums(tree);
  const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim();
  const scripts = join(tree, 'DEBIAN');
  mkdirSync(scripts);
  chmodSync(scripts, 0o755);
  const dependencies = nodeDependencies(join(node, 'bin/node'));
  const about = { version, architecture, kilobytes, maintainer, dependencies };
  writeFileSync(join(scripts, 'control'), control(about));
  writeFileSync(join(scripts, 'md5sums'), md5sums);
  for (const name of ['postinst', 'prerm', 'postrm']) {
    copyFileSync(join(root, 'packaging/debian', name), join(scripts, name));
    chmodSync(join(scripts, name), 0o755);
  }
  const file = resolve(values.out, `imgstore_${version}_${architecture}.deb`);
  const options = ['--root-owner-group', `-Z${compression}`, '--build'];
  execFileSync('dpkg-deb', [...options, tree, file], { stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(file);
} finally {
  rmSync(work, { recursive: true, force: true });
}
