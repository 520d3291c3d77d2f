import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { configTemplate } from '../../dist/src/base/config/config-file.js';
import { copyModules } from './modules.mjs';
import { copyNode } from './node-binary.mjs';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files of the npm package: the Debian package contains the same program. */
export function packedFiles() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const listed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  return JSON.parse(listed)[0].files.map(({ path }) => path);
}

const documentation = /\.(md|svg)$|^(LICENSE|systemd|packaging|man\/)/;

/** Lays out in `tree` everything that the Debian package installs. */
export async function layTree(tree, { version, maintainer }) {
  const lib = join(tree, 'usr/lib/imgstore');
  const doc = join(tree, 'usr/share/doc/imgstore');
  const place = (from, to) => {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(root, from), to);
  };
  for (const path of packedFiles()) {
    if (!documentation.test(path)) place(path, join(lib, path));
    else if (/^(docs|packaging)\//.test(path)) place(path, join(doc, path.replace(/^\w+\//, '')));
  }
  const manifest = JSON.parse(readFileSync(join(lib, 'package.json'), 'utf8'));
  writeFileSync(join(lib, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2));
  copyModules(root, lib);
  writeFileSync(join(lib, 'config.yaml'), configTemplate({}));
  place('packaging/debian/imgstore', join(tree, 'usr/bin/imgstore'));
  cpSync(join(root, 'systemd'), join(tree, 'usr/lib/systemd/system'), { recursive: true });
  place('packaging/debian/copyright', join(doc, 'copyright'));
  place('packaging/debian/overrides', join(tree, 'usr/share/lintian/overrides/imgstore'));
  copyNode(join(lib, 'node'), join(doc, 'node-licence'));
  compress(join(doc, 'changelog.gz'), changelog(version, maintainer));
  compress(
    join(tree, 'usr/share/man/man1/imgstore.1.gz'),
    readFileSync(join(root, 'man/imgstore.1')),
  );
  await layCompletion(tree);
  setModes(tree);
}

/** Where each shell of Debian looks for the completion of a command. */
const completions = {
  bash: 'usr/share/bash-completion/completions/imgstore',
  zsh: 'usr/share/zsh/vendor-completions/_imgstore',
  fish: 'usr/share/fish/vendor_completions.d/imgstore.fish',
};

/** Scripts as `imgstore completion` prints them, which would load the whole program for each shell. */
async function layCompletion(tree) {
  const { chapters } = await import('../../dist/src/cli/commands.js');
  const { command } = await import('../../dist/src/cli/commands/completion.js');
  const { loadProgram } = await import('../../dist/src/cli/program.js');
  for (const [shell, path] of Object.entries(completions)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    const result = ({ text }) => writeFileSync(join(tree, path), `${text}\n`);
    await command.run({ ui: { result } }, { shell }, () => loadProgram(chapters));
  }
}

function compress(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(content, { level: 9 }));
}

const changelog = (version, maintainer) => `imgstore (${version}) stable; urgency=medium

  * See CHANGELOG.md of the sources.

 -- ${maintainer}  ${new Date(0).toUTCString().replace('GMT', '+0000')}
`;

const programs = /^usr\/(bin\/imgstore|lib\/imgstore\/node)$/;

/** Corrects the modes of a clone made with another umask. */
function setModes(tree) {
  for (const path of walk(tree)) {
    const open = statSync(path).isDirectory() || programs.test(relative(tree, path));
    chmodSync(path, open ? 0o755 : 0o644);
  }
}

/** Everything below a folder, and the folder itself. */
function walk(folder) {
  const inside = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return [folder, ...inside];
}

/** Checksums of all files in the format of DEBIAN/md5sums, and their size in kilobytes. */
export function sums(tree) {
  let bytes = 0;
  const lines = walk(tree)
    .filter((path) => statSync(path).isFile())
    .map((path) => {
      const content = readFileSync(path);
      bytes += content.length;
      const sum = createHash('md5').update(content).digest('hex');
      return `${sum}  ${relative(tree, path)}\n`;
    });
  return { md5sums: lines.join(''), kilobytes: Math.ceil(bytes / 1024) };
}
