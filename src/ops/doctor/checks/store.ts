import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ServiceError } from '../../../base/errors/catalogue.js';
import { testBucket } from '../../prepare-bucket.js';
import { describeStore } from '../../store-description.js';
import type { ObjectStore } from '../../../store/port.js';
import { bucketConfigOf } from '../../../store/s3/settings.js';
import { ok, problem, warning, type Check } from '../check.js';
import type { DoctorContext } from '../context.js';

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
