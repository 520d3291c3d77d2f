import { statfs } from 'node:fs/promises';
import { namesS3 } from '../../../store/s3/settings.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import type { DoctorContext } from '../context.js';
import { existing } from '../disks.js';

/** Types of unsafe file systems, as statfs(2) reports them. */
const volatile = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);
const remote = new Map([
  [0x6969, 'NFS'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'SMB'],
]);
const overlay = 0x794c7630;

export const fileSystem: Check = {
  name: 'file-system',
  title: 'The data is on a persistent file system',
  category: 'home',
  run: async (context) => {
    const config = await context.config();
    const { database, store } = context.home;
    const holders: [folder: string, what: string][] = [
      ...(config['database.url'] ? [] : [[database, 'database'] satisfies [string, string]]),
      ...(namesS3(config) ? [] : [[store, 'store'] satisfies [string, string]]),
    ];
    for (const [folder, what] of holders) {
      const finding = (await existing([folder])).length > 0 && (await judge(context, folder, what));
      if (finding) return finding;
    }
    return ok('The data is on disks of this machine, or elsewhere as configured.');
  },
};

async function judge(
  { home }: DoctorContext,
  folder: string,
  what: string,
): Promise<Diagnosis | undefined> {
  const { type } = await statfs(folder);
  const memory = volatile.get(type);
  if (memory !== undefined) {
    return problem(
      `The ${what} in ${folder} is in memory (${memory}): it is lost when the machine restarts.`,
      `Stop the service, copy the home to a disk (cp -a ${home.dir} /srv/imgstore), and serve it from there: --home /srv/imgstore`,
    );
  }
  const network = remote.get(type);
  if (network !== undefined && what === 'database') {
    return warning(
      `The private database in ${folder} is on ${network}, where the server can lose data that it considers written.`,
      `Keep the home on a disk of this machine and the objects elsewhere (S3, or a mount at ${home.store}), or use a database server: database.url`,
    );
  }
  if (type !== overlay) return undefined;
  return warning(
    `The ${what} in ${folder} is in the layer of a container (overlay): it is lost with the container.`,
    `Mount a volume there: docker run -v imgstore:${home.dir} …`,
  );
}
