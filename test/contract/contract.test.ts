import { after, describe, test } from 'node:test';
import { areasFor } from '../../contract/areas.js';
import { routesOf } from '../../contract/document.js';
import { DocumentedAnswers, readDocument } from '../../testkit/documented.js';
import { World } from '../../testkit/world.js';
import { testService } from '../../testkit/service.js';

const service = await testService({ after });
const base = service.client.base;
const document = await readDocument(base);
const world = new World(
  base,
  await service.adminToken(),
  new DocumentedAnswers(async () => document),
);

for (const { name, checks } of areasFor(routesOf(document))) {
  describe(name, { concurrency: 4 }, () => {
    for (const check of checks) {
      test(`${check.operation}: ${check.name}`, () => check.run(world));
    }
  });
}
