import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { shellWord } from '../../../base/os/command-line.js';
import { counted, minuteMs, secondMs, spanText } from '../../../base/units.js';
import { WallClock } from '../../../base/time.js';
import { lastingHolds } from '../../../library/holds/holds.js';
import type { ObjectStore } from '../../../store/port.js';
import { bucketConfigOf } from '../../../store/s3/settings.js';
import { bucketUrl, testBucket } from '../../prepare-bucket.js';
import { describeStore, requireSentinel } from '../../store-sentinel.js';
import { ok, problem, warning, type Check, type Diagnosis } from '../check.js';
import { type DoctorContext, Skip } from '../context.js';

export const store: Check = {
  name: 'store',
  title: 'Objects can be written, read, signed and deleted, and not read without a signature',
  category: 'store',
  run: async (context) => {
    const { store: kind } = await context.instance.get();
    const config = await context.config();
    if (kind === 's3') {
      const bucketConfig = bucketConfigOf(config);
      const remark = await testBucket({ bucketConfig, scratch: context.home.incoming });
      if (remark) return warning(remark.message, remark.remedy);
      return ok(`The bucket ${bucketConfig.bucket} at ${bucketConfig.endpoints.join(', ')}.`);
    }
    const { name, explain } = describeStore(kind, context.home, config);
    const same = await tryObject(context, await context.store.open()).catch((error: unknown) => {
      throw error instanceof ServiceError ? explain(error) : error;
    });
    if (same) return ok(`${name}.`);
    return problem(
      `${name} returned different data than was written.`,
      'Check the disk for errors: dmesg; smartctl -a DEVICE; and restore the store from a backup',
    );
  },
};

/** @returns whether an object was read as it was written. */
async function tryObject({ home }: DoctorContext, store: ObjectStore): Promise<boolean> {
  const key = `trial/${randomUUID()}.json`;
  const path = join(home.incoming, randomUUID());
  const words = JSON.stringify({ trial: key });
  try {
    await writeFile(path, words);
    await store.put([{ key, path }]);
    const body = await store.get(key);
    return body !== undefined && (await text(body.stream)) === words;
  } finally {
    await rm(path, { force: true });
    await store.delete([key]);
  }
}

export const sentinel: Check = {
  name: 'sentinel',
  title: 'The object store belongs to this installation',
  category: 'store',
  run: async (context) => {
    const { id: instanceId, store: kind } = await context.instance.get();
    const description = describeStore(kind, context.home, await context.config());
    await requireSentinel({ store: await context.store.open(), description, instanceId });
    return ok(`It has the sentinel of ${instanceId}.`);
  },
};

export const legalHolds: Check = {
  name: 'legal-holds',
  title: 'Objects of what is held bear a legal hold where the bucket has object lock',
  category: 'store',
  run: async (context) => {
    const { legalHolds: bucket } = await context.store.open();
    const lock = (await bucket?.lock()) ?? 'off';
    if (lock === 'on') return ok('The bucket has object lock.');
    if (lock === 'off') return ok('The store has no object lock.');
    const { timezone } = await context.config();
    const { lasting } = await lastingHolds(await context.db(), new WallClock(timezone));
    if (lasting === 0) return ok('Nothing is held.');
    return warning(
      `${counted(lasting, 'hold')} may not be in force in the bucket: s3.access_key may not ask whether it has object lock.`,
      'Allow s3:GetBucketObjectLockConfiguration for the bucket, and s3:GetObjectLegalHold and s3:PutObjectLegalHold for its objects, in the policies of the user and of the bucket; legal holds follow within a minute.',
    );
  },
};

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
      const answer = await asked(`${url}?list-type=2&max-keys=1`);
      if (!answer) throw new Skip('the object store does not answer');
      if (answer.status < 300) return listable(name, url, byRole === true);
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

/** @returns the answer to a request without keys; undefined if there is none. */
async function asked(url: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(limitMs) });
    await answer.body?.cancel();
    return answer;
  } catch {
    return undefined;
  }
}

export const storeCors: Check = {
  name: 'store-cors',
  title: 'Pages of the allowed origins may read the objects that the bucket sends itself',
  category: 'store',
  run: async (context) => {
    const { store: kind } = await context.instance.get();
    const config = await context.config();
    if (kind !== 's3' || config['s3.delivery'] !== 'direct') {
      throw new Skip('imgstore sends the objects');
    }
    const { endpoints, bucket: name } = bucketConfigOf(config);
    const endpoint = config['s3.public_endpoint'] ?? endpoints[0] ?? '';
    const console = config['console.enabled'] && config.public_url;
    const origins = [
      ...config['cors.origins'].map((origin) => (origin === '*' ? 'https://any.example' : origin)),
      ...(console ? [new URL(console).origin] : []),
    ];
    const refused: string[] = [];
    for (const origin of new Set(origins)) {
      const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' };
      const answer = await asked(`${bucketUrl({ name }, endpoint)}/any`, {
        method: 'OPTIONS',
        headers,
      });
      if (!answer) throw new Skip('the object store does not answer');
      const allowed = answer.headers.get('access-control-allow-origin');
      if (allowed !== '*' && allowed !== origin) refused.push(origin);
    }
    if (refused.length === 0) return ok('All of them may.');
    return warning(
      `The bucket ${name} lets no page of ${refused.join(', ')} read its objects, though it is allowed to call the API: pictures are shown, but not drawn on or saved by scripts.`,
      `Add the rule of docs/storage.md ("direct") for these origins to the bucket, or have imgstore send the objects: ${context.command('config', 'set', 's3.delivery', 'proxy')}`,
    );
  },
};

export const storeMove: Check = {
  name: 'store-move',
  title: 'No move of the objects to another store is unfinished',
  category: 'store',
  run: async (context) => {
    const { store, second, moving } = await context.instance.get();
    if (second === null) return ok(`All objects are in one store (${store}).`);
    if (!moving) {
      return ok(
        `All objects are in one store (${store}); to delete what is left in the other: ${context.command('store', 'clear', '--from', second)}`,
      );
    }
    return warning(
      `A move from ${store} to ${second} has begun: objects are in both, and a read may have to try both.`,
      `If no "store migrate" is running, continue it: ${context.command('store', 'migrate', '--to', second)}`,
    );
  },
};

/** S3 refuses requests that are off by 15 minutes. */
const noticeableMs = minuteMs;
const harmfulMs = 10 * minuteMs;

export const clockStore: Check = {
  name: 'clock-store',
  title: 'The clocks of this machine and of the S3 server agree',
  category: 'store',
  run: async (context) => {
    const { store } = await context.instance.get();
    if (store !== 's3') throw new Skip('the objects are in local files');
    const { endpoints, bucket: name } = bucketConfigOf(await context.config());
    const offsets = await Promise.all(endpoints.map((one) => aheadOf(bucketUrl({ name }, one))));
    const ahead = offsets.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
    const off = Math.abs(ahead);
    if (off < noticeableMs) return ok('They differ by less than a minute.');
    return (off < harmfulMs ? warning : problem)(
      `The clock of the S3 server is ${spanText(off / secondMs)} ${ahead > 0 ? 'ahead of' : 'behind'} that of this machine; from 15 minutes it refuses all requests.`,
      'On both machines: timedatectl set-ntp true',
    );
  },
};

/** How far the clock of a server is ahead of ours, in milliseconds. @throws Skip */
async function aheadOf(url: string): Promise<number> {
  const answer = await asked(url, { method: 'HEAD' });
  if (!answer) throw new Skip('the S3 server does not answer');
  const there = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(there)) throw new Skip('the S3 server does not report its time');
  return there - Date.now();
}
