import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** The user `node` of the official image. */
export const nodeUser = 1000;

/** The CA certificates trusted by this machine, possibly more than those of a new Debian. */
const trusted = 'etc/ssl/certs/ca-certificates.crt';

export const run = (file, args) =>
  execFileSync(file, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

/** The tree of node:VERSION-SUITE-slim: Debian, its user, Node.js, and npm. */
export function baseMaker(work) {
  const made = new Map();
  return async (name, folder) => {
    const [, version, suite] = /^node:([\d.]+)-(\w+)-slim$/.exec(name) ?? [];
    if (!version) throw new Error(`${name} is not a base image that can be built here`);
    const base = made.get(name) ?? join(work, 'base');
    if (!made.has(name)) {
      run('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, base]);
      run('chroot', [base, 'useradd', '--uid', String(nodeUser), '--create-home', 'node']);
      const parcel = join(work, 'node');
      const packages = [`node@${version}`, 'npm@11'];
      run('npm', ['install', '--prefix', parcel, '--no-audit', '--no-fund', ...packages]);
      cpSync(join(parcel, 'node_modules/node/bin/node'), join(base, 'usr/local/bin/node'));
      const npm = 'usr/local/lib/node_modules/npm';
      cpSync(join(parcel, 'node_modules/npm'), join(base, npm), { recursive: true });
      for (const word of ['npm', 'npx'])
        run('ln', ['-s', `/${npm}/bin/${word}-cli.js`, join(base, 'usr/local/bin', word)]);
      cpSync(join('/', trusted), join(base, trusted));
      made.set(name, base);
    }
    run('cp', ['--archive', base, folder]);
  };
}
