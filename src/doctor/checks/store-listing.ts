import { stat } from 'node:fs/promises';
import { bucketUrl } from '../../operations/prepare-bucket.js';
import { shellWord } from '../../os/command-line.js';
import { bucketConfigOf } from '../../store/s3/settings.js';
import { secondMs } from '../../units.js';
import { ok, problem, warning, type Check, type Finding } from '../check.js';
import { Skip } from '../needed.js';

const limitMs = 10 * secondMs;

/** The right of everybody on the machine to list a folder. */
const everybodyReads = 0o004;

export const storeListing: Check = {
  name: 'store-listing',
  title: 'Nobody else can list the objects',
  category: 'store',
  run: async (context) => {
    const { store: kind } = await context.instance.get();
    if (kind === 'local') return judgeFolder(context.home.store);
    const { endpoints, bucket: name, byRole } = bucketConfigOf(await context.config());
    for (const endpoint of endpoints) {
      const address = bucketUrl({ name }, endpoint);
      const status = await anonymously(`${address}?list-type=2&max-keys=1`);
      if (status === undefined) throw new Skip('the object store does not answer');
      if (status < 300) return listable(name, address, byRole === true);
    }
    return ok('A list of the bucket is refused without keys.');
  },
};

async function judgeFolder(folder: string): Promise<Finding> {
  const { mode } = await stat(folder);
  if ((mode & everybodyReads) === 0) return ok(`${folder} is closed to others.`);
  return warning(
    `Everybody on this machine can list the objects in ${folder}.`,
    `chmod o-rwx ${shellWord(folder)}; nginx, where it sends files by itself (files.accel), should be in its group`,
  );
}

const listable = (name: string, address: string, aws: boolean): Finding =>
  problem(
    `Anybody can list the objects of the bucket ${name}: ${address}.`,
    aws
      ? `aws s3api put-public-access-block --bucket ${name} --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true`
      : `Remove its public policy and ACL, such as: aws s3api delete-bucket-policy --bucket ${name} --endpoint-url ${new URL(address).origin}`,
  );

/** @returns the status; undefined without an answer. */
async function anonymously(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  }
}
