// @ts-check
// Bundles the program with the packages that it uses into dist/bundle (docs/adr/0018-bundle.md):
// loading 200 files takes half the time of loading 1,600.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Programs of processes and threads, by name. */
const entries = {
  imgstore: 'src/cli/main.ts',
  'http-process': 'src/server/http-processes/http-process.ts',
  'imaging-process': 'workers/imaging-process.ts',
  'decode-task': 'workers/decode-task.ts',
  'inspect-task': 'workers/inspect-task.ts',
};

/** Packages with native code, WebAssembly, or files that they find by their own path. */
export const separatePackages = ['koffi', 'libheif-js', 'piscina', 'sharp', 'swagger-ui-dist'];
/** @param {string} id */
const isSeparate = (id) =>
  separatePackages.some((name) => id === name || id.startsWith(`${name}/`));

/**
 * Drivers of other databases, which TypeORM loads only for those.
 * @param {import('rolldown').RollupLog} log
 */
const isMissingDriver = ({ code, message }) =>
  code === 'UNRESOLVED_IMPORT' && /node_modules\/(typeorm|pg)\//.test(message);

/** TypeORM imports its drivers of all databases, 40 % of its code, to construct one of them. */
const postgresDriverOnly = {
  name: 'postgres-driver-only',
  load: {
    filter: { id: /\/typeorm\/driver\/(?!postgres\/|types\/)[^/]+\/[^/]+\.js$/ },
    handler: () => 'module.exports = {};',
  },
};

/**
 * @param {readonly (import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} output
 * @returns the folders of the packages in the chunks.
 */
function packagesIn(output) {
  const paths = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const folders = paths.flatMap(
    (path) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** Names of files with the license of a package. */
export const licenseFile = /^(licen[cs]e|notice|copying)/i;

/**
 * Names, versions and licenses of bundled packages: most licenses require that copies include them.
 * @param {readonly string[]} folders
 */
function notices(folders) {
  /** @param {string} folder */
  const notice = (folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const files = readdirSync(folder).filter((file) => licenseFile.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  };
  return `${folders.map(notice).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** @param {string} root @throws if a source file has errors. */
export async function bundle(root) {
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    external: isSeparate,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [postgresDriverOnly],
    onLog: (level, log, report) => isMissingDriver(log) || report(level, log),
  });
  const { output } = await build.write({
    dir: join(root, 'dist/bundle'),
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
  });
  const fonts = join(root, 'node_modules/@expo-google-fonts/noto-sans-kr');
  copyFileSync(
    join(fonts, '400Regular/NotoSansKR_400Regular.ttf'),
    join(root, 'dist/bundle/NotoSansKR-Regular.ttf'),
  );
  copyFileSync(
    join(root, 'node_modules/pdfkit/js/data/sRGB_IEC61966_2_1.icc'),
    join(root, 'dist/bundle/sRGB.icc'),
  );
  writeFileSync(join(root, 'dist/bundle/NOTICES.txt'), notices([...packagesIn(output), fonts]));
}
