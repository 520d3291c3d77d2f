import { describeStore } from '../../store-description.js';
import { requireSentinel } from '../../store-sentinel.js';
import { ok, type Check } from '../check.js';

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
