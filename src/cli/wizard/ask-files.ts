import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OptionKey } from '../../base/config/options.js';
import { bucketConfigOf, namesS3 } from '../../store/s3/settings.js';
import { check, parsed, type Asking, type Chosen } from './asking.js';

const questions = [
  { key: 's3.endpoint', message: 'URL of the S3 server (such as https://s3.example.com):' },
  { key: 's3.region', message: 'Region, as the server names it:' },
  { key: 's3.bucket', message: 'Bucket, for imgstore alone; it is created if missing:' },
  { key: 's3.access_key', message: 'Access key:' },
  { key: 's3.secret_key', message: 'Secret key:' },
] as const satisfies readonly { key: OptionKey; message: string }[];

/** Asks where the files of images are kept: in the home, or in a bucket. */
export async function askFiles(asking: Asking): Promise<Chosen> {
  if (!(await wantsS3(asking))) return {};
  const open = questions.filter(({ key }) => asking.isOpen(key));
  // With the server given, the region is not asked for: it has a default.
  const lacking = namesS3(asking.settings.values)
    ? open.filter(({ key }) => key !== 's3.region')
    : open;
  if (lacking.length === 0) return {};
  return asking.untilItWorks<Chosen>(
    async (earlier = {}) => {
      const chosen: Chosen = {};
      for (const { key, message } of lacking) {
        Object.assign(chosen, await answerOf(asking, { key, message, earlier }));
      }
      return chosen;
    },
    (answers) => tryBucket(asking, answers),
  );
}

async function wantsS3(asking: Asking): Promise<boolean> {
  if (!asking.isOpen('s3.endpoint')) return namesS3(asking.settings.values);
  return asking.choose('Where should uploaded files be kept?', [
    { name: 'On this machine', value: false, description: `In ${asking.context.home.store}` },
    { name: 'In a bucket of an S3 server', value: true },
  ]);
}

interface Asked {
  readonly key: (typeof questions)[number]['key'];
  readonly message: string;
  readonly earlier: Chosen;
}

async function answerOf(asking: Asking, { key, message, earlier }: Asked): Promise<Chosen> {
  const known = earlier[key] ?? asking.settings.values[key];
  const initial = String(known ?? ''); // joined with commas, if there are several
  if (key !== 's3.secret_key') {
    const text = await asking.text(message, initial, (given) =>
      given.trim() === '' ? 'This is required.' : check(key)(given),
    );
    return parsed(key, text);
  }
  const again = initial === '' ? message : `${message} (Enter keeps the one you gave)`;
  const text = await asking.secret(again, (given) => initial !== '' || check(key)(given));
  return { [key]: text || initial };
}

async function tryBucket(asking: Asking, chosen: Chosen): Promise<void> {
  const { prepareBucket } = await import('../../ops/prepare-bucket.js');
  const scratch = await mkdtemp(join(tmpdir(), 'imgstore-bucket-'));
  try {
    const bucketConfig = bucketConfigOf(asking.with(chosen));
    const { progress: report, warn } = asking.context.ui;
    await prepareBucket({ bucketConfig, scratch, report, warn });
  } finally {
    await rm(scratch, { recursive: true });
  }
}
