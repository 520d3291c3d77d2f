import { dependencyDown } from '../../../src/errors/operator.js';
import { run, tail } from '../../../src/database/run.js';

const packages = ['radosgw', 'ceph-mon', 'ceph-osd'];

const present = async (): Promise<boolean> =>
  (await run('sh', ['-c', 'command -v radosgw ceph-mon ceph-osd ceph'])).code === 0;

/** Brings Ceph with its S3 gateway by apt, when it is not here. @throws OperatorError 69. */
export async function ensureCeph(report: (message: string) => void): Promise<void> {
  if (await present()) return;
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  const remedy = `sudo ${command}; or point IMGSTORE_TEST_S3_ENDPOINT at an S3 server (see CONTRIBUTING.md)`;
  if (process.getuid?.() !== 0) {
    throw dependencyDown('The tests of the S3 store need Ceph.', { remedy });
  }
  report('Installing Ceph for the tests of the S3 store');
  // The packages' own services stay off: nothing of the machine is to be changed but its programs.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const install = () => run('sh', ['-c', `${command} -o DPkg::Lock::Timeout=120`], { env });
  if ((await install()).code === 0) return;
  await run('apt-get', ['-q', 'update'], { env });
  const { code, output } = await install();
  if (code !== 0) throw dependencyDown(`Ceph cannot be installed:\n${tail(output)}`, { remedy });
}
