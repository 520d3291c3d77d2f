import { stat } from 'node:fs/promises';
import { bucketUrl } from '../../prepare-bucket.js';
import { shellWord } from '../../../base/os/command-line.js';
import { bucketConfigOf } from '../../../store/s3/settings.js';
import { secondMs } from '../../../base/units.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import { Skip } from '../needed.js';

const limitMs = 10 * secondMs;

/** The permission of all users to list a folder. */
const everybodyReads = 0o004;

export const storeListing: Check = {
  name: 'store-listing',
  title: 'The objects cannot be listed by others',
  category: 'store',
  run: async (context) => {
    const { store: kind } = await context.instance.get();
    if (kind === 'local') return judgeFolder(context.home.store);
    const { endpoints, bucket: name, byRole } = bucketConfigOf(await context.config());
    for (const endpoint of endpoints) {
      const url = bucketUrl({ name }, endpoint);
      const status = await anonymously(`${url}?list-type=2&max-keys=1`);
      if (status === undefined) throw new Skip('the object store does not answer');
      if (status < 300) return listable(name, url, byRole === true);
    }
    return ok('The bucket cannot be listed without keys.');
  },
};

async function judgeFolder(folder: string): Promise<Diagnosis> {
  const { mode } = await stat(folder);
  if ((mode & everybodyReads) === 0) return ok(`${folder} is closed to others.`);
  return warning(
    `All users of this machine can list the objects in ${folder}.`,
    `chmod o-rwx ${shellWord(folder)}; if nginx sends files (files.accel), it should be in its group`,
  );
}

const listable = (name: string, url: string, aws: boolean): Diagnosis =>
  problem(
    `Anybody can list the objects of the bucket ${name}: ${url}.`,
    aws
      ? `aws s3api put-public-access-block --bucket ${name} --public-access-block-configuration BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true`
      : `Remove its public policy and ACL, such as: aws s3api delete-bucket-policy --bucket ${name} --endpoint-url ${new URL(url).origin}`,
  );

/** @returns the status; undefined if there is no answer. */
async function anonymously(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  }
}
