import { run, lastLines } from '../src/base/os/run.js';
import { dependencyDown } from '../src/base/errors/operator.js';

export interface Wanted {
  /** The purpose of the programs, as in "The tests of … need Ceph". */
  readonly purpose: string;
  /** Program names on the path; if all are there, nothing is done. */
  readonly programs: readonly string[];
  /** The Debian packages that provide them. */
  readonly packages: readonly string[];
  /** An alternative to apt, for the error message. */
  readonly otherwise?: string;
}

/** Whether all of these programs are on the path. */
export const installed = async (programs: readonly string[]): Promise<boolean> =>
  (await run('sh', ['-c', 'for p; do command -v "$p" || exit 1; done', 'sh', ...programs])).code ===
  0;

/** Installs missing programs that tests need, with apt. @throws OperatorError 69. */
export async function ensureInstalled(
  wanted: Wanted,
  report: (message: string) => void,
): Promise<void> {
  if (await installed(wanted.programs)) return;
  const command = `apt-get install -y --no-install-recommends ${wanted.packages.join(' ')}`;
  const remedy = [`sudo ${command}`, ...(wanted.otherwise ? [wanted.otherwise] : [])].join('; or ');
  if (process.getuid?.() !== 0) {
    throw dependencyDown(`${wanted.purpose} need ${wanted.packages.join(', ')}.`, { remedy });
  }
  report(`Installing ${wanted.packages.join(', ')}`);
  // The services of the packages are not started: only programs should be added to the machine.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const install = () => run('sh', ['-c', `${command} -o DPkg::Lock::Timeout=120`], { env });
  if ((await install()).code === 0) return;
  await run('apt-get', ['-q', 'update'], { env });
  const { code, output } = await install();
  if (code === 0) return;
  throw dependencyDown(`${wanted.packages.join(', ')} cannot be installed:\n${lastLines(output)}`, {
    remedy,
  });
}
