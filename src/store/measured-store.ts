import { storeErrors, storeSeconds } from '../base/telemetry/metrics.js';
import { secondMs } from '../base/units.js';
import type { ObjectStore } from './port.js';

/** Measures one type of calls to one store. */
function counterOf(store: string, call: string) {
  const seconds = storeSeconds.of(store, call);
  const errors = storeErrors.of(store, call);
  return <T>(answer: Promise<T>): Promise<T> => {
    const began = performance.now();
    const end = (): void => seconds.observe((performance.now() - began) / secondMs);
    answer.then(end, () => {
      end();
      errors.add();
    });
    return answer;
  };
}

/** The same store, with its calls measured. @param kind its label in the metrics. */
export function measuredStore(store: ObjectStore, kind: string): ObjectStore {
  const put = counterOf(kind, 'put');
  const get = counterOf(kind, 'get');
  const stat = counterOf(kind, 'stat');
  const remove = counterOf(kind, 'delete');
  return {
    put: (objects) => put(store.put(objects)),
    get: (key, range) => get(store.get(key, range)),
    stat: (key) => stat(store.stat(key)),
    delete: (keys) => remove(store.delete(keys)),
    move: (from, to) => store.move(from, to),
    list: (prefix) => store.list(prefix),
    unfinished: () => store.unfinished(),
    check: () => store.check(),
    checkReady: () => store.checkReady(),
    sign: (key) => store.sign(key),
    signIn: (folder, base) => store.signIn(folder, base),
  };
}
