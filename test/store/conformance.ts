import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StoreHarness } from '../../testkit/store/harness.js';
import { describeSignedUrls } from './conformance-urls.js';
import {
  describeLargeObjects,
  describeManyObjects,
  describeObjects,
} from './conformance-objects.js';
import { sentinelKey } from '../../src/store/sentinel.js';

/**
 * Black-box tests of every rule of src/store/port.ts for any adapter. `makeStore` returns a new store
 * with a sentinel on each call. @param large whether with a large object, too. @param many whether
 * with more objects than S3 lists at once, too.
 */
export function describeStore(
  name: string,
  makeStore: () => Promise<StoreHarness>,
  { large = true, many = true } = {},
): void {
  describe(name, () => {
    let harness: StoreHarness;
    before(async () => {
      harness = await makeStore();
    });
    after(() => harness.cleanup());

    describeObjects(() => harness);
    if (many) describeManyObjects(() => harness);
    if (large) describeLargeObjects(() => harness);
    describeSignedUrls(() => harness);

    it('passes its check for the instance that it belongs to', async () => {
      await harness.store.check();
      await harness.store.checkReady();
    });

    it('fails its check for another instance', async () => {
      await assert.rejects(harness.stranger.check(), { code: 'unavailable' });
    });

    it('fails its check without the sentinel', async () => {
      const bare = await makeStore();
      try {
        await bare.store.delete([sentinelKey]);
        await assert.rejects(bare.store.check(), { code: 'unavailable' });
      } finally {
        await bare.cleanup();
      }
    });
  });
}
