import assert from 'node:assert/strict';
import type { Route } from '../document.js';
import { area } from '../harness.js';
import { operationNames, operations, routeOf } from '../../testkit/operations.js';

/** Runs last: checks which statuses the suite has received from each operation. */
export const coverage = (routes: readonly Route[]) =>
  area('coverage', (check) => {
    for (const name of operationNames) {
      const [, , scheme, mark] = operations[name] as readonly string[];
      check(
        'document',
        `§2.15 ${routeOf(name)} is documented, and was seen in all ways`,
        async (world) => {
          assert.ok(
            routes.some(({ operation }) => operation === name),
            'not in /openapi.json',
          );
          const wanted = [
            ...(mark === 'terminal' || mark === 'protocol' ? [] : [200]),
            ...(mark === 'steady' || mark === 'protocol' ? [] : [400]),
            ...(scheme === 'none' ? [] : [401]),
            ...(scheme === 'Platform' || scheme === 'User' ? [403] : []),
          ];
          const seen = world.client.seen.get(name) ?? new Set();
          if (mark === 'protocol') {
            const among = (from: number): boolean =>
              [...seen].some((status) => status >= from && status < from + 100);
            assert.ok(among(200) && (scheme === 'none' || among(400)), [...seen].join(', '));
          }
          assert.deepEqual(
            wanted.filter((status) => !seen.has(status)),
            [],
            `never answered these; it answered ${[...seen].join(', ')}`,
          );
          assert.ok([...seen].every((status) => status < 500));
        },
      );
    }
  });
