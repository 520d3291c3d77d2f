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
import { gzipSync } from 'node:zlib';
import { configTemplate } from '../../src/base/config/config-file.js';
import { packageFile } from '../../src/base/installed-files.js';
import { chapters } from '../../src/cli/commands.js';
import { printCompletion } from '../../src/cli/commands/completion.js';
import { loadProgram } from '../../src/cli/program.js';
import { copyNode } from './node-binary.js';

export const root = packageFile('.');

/** Files of the npm package: the Debian package contains the same program. */
export function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const listed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const [packed] = JSON.parse(listed) as [{ files: { path: string }[] }];
  return packed.files.map(({ path }) => path);
}

const documentation = /\.(md|svg)$|^(LICENSE|systemd|packaging|man\/)/;

interface Laid {
  readonly version: string;
  readonly maintainer: string;
  /** Where `installNode` put Node.js. */
  readonly node: string;
}

/** Lays out in `tree` everything that the Debian package installs. */
export async function layTree(tree: string, { version, maintainer, node }: Laid): Promise<void> {
  const lib = join(tree, 'usr/lib/imgstore');
  const doc = join(tree, 'usr/share/doc/imgstore');
  const place = (from: string, to: string): void => {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(root, from), to);
  };
  for (const path of packedFiles()) {
    if (!documentation.test(path)) place(path, join(lib, path));
    else if (/^(docs|packaging)\//.test(path)) place(path, join(doc, path.replace(/^\w+\//, '')));
  }
  execFileSync(process.execPath, [join(root, 'scripts/package/modules.mjs'), lib]);
  writeFileSync(join(lib, 'config.yaml'), configTemplate({}));
  place('packaging/debian/imgstore', join(tree, 'usr/bin/imgstore'));
  cpSync(join(root, 'systemd'), join(tree, 'usr/lib/systemd/system'), { recursive: true });
  place('packaging/debian/copyright', join(doc, 'copyright'));
  place('packaging/debian/overrides', join(tree, 'usr/share/lintian/overrides/imgstore'));
  copyNode(node, join(lib, 'node'), join(doc, 'node-licence'));
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
async function layCompletion(tree: string): Promise<void> {
  for (const [shell, path] of Object.entries(completions)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    const result = ({ text }: { text: string }): void =>
      writeFileSync(join(tree, path), `${text}\n`);
    await printCompletion({ ui: { result } }, { shell }, () => loadProgram(chapters));
  }
}

function compress(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(content, { level: 9 }));
}

const changelog = (
  version: string,
  maintainer: string,
): string => `imgstore (${version}) stable; urgency=medium

  * See CHANGELOG.md of the sources.

 -- ${maintainer}  ${new Date(0).toUTCString().replace('GMT', '+0000')}
`;

const programs = /^usr\/(bin\/imgstore|lib\/imgstore\/node)$/;

/** Corrects the modes of a clone made with another umask. */
function setModes(tree: string): void {
  for (const path of walk(tree)) {
    const open = statSync(path).isDirectory() || programs.test(relative(tree, path));
    chmodSync(path, open ? 0o755 : 0o644);
  }
}

/** Everything below a folder, and the folder itself. */
function walk(folder: string): string[] {
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  return [folder, ...inside];
}

/** Checksums of all files in the format of DEBIAN/md5sums, and their size in kilobytes. */
export function sums(tree: string): { md5sums: string; kilobytes: number } {
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
