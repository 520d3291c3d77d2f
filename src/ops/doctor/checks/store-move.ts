import { ok, warning, type Check } from '../check.js';

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
