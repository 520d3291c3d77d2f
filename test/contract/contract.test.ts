import { after, describe, test } from 'node:test';
import { areasFor } from '../../contract/areas.js';
import { readRoutes } from '../../contract/document.js';
import { World } from '../../testkit/world.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const base = service.client.base;
const world = new World(base, await service.adminToken());

for (const { name, checks } of areasFor(await readRoutes(base))) {
  describe(name, { concurrency: 4 }, () => {
    for (const check of checks) {
      test(`${check.operation}: ${check.name}`, () => check.run(world));
    }
  });
}
