import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDataSource } from '../../src/database/data-source.js';
import { rows } from '../../src/database/sql.js';
import { eventually } from '../../testkit/eventually.js';
import { done } from '../../testkit/expect.js';
import { initializedHome } from '../../testkit/initialized-home.js';
import { longOnly } from '../../testkit/long-form.js';
import { joinedHome } from '../../testkit/nodes.js';
import { hosted } from '../../testkit/hosted-command.js';
import { answer, assertWhole, Receiver } from '../../testkit/receiver.js';
import type { CreatedPlatform, CreatedUser } from '../../testkit/records.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { hook, loopbackAllowed } from '../../testkit/webhooks.js';

const flags = [
  '--webhooks-allow-http',
  loopbackAllowed['webhooks.allow_http'],
  '--webhooks-allow-networks',
  loopbackAllowed['webhooks.allow_networks'],
];

test(
  'two nodes share the work, and one takes over when the other is killed while sending',
  longOnly,
  async (parent) => {
    const t = lastFirst(parent);
    const { home, url } = await initializedHome(t);
    const limits = { poolSize: 2, statementTimeoutMs: 0, entities: [], migrations: [] };
    const db = await createDataSource({ url, ...limits }).initialize();
    t.after(() => db.destroy());
    const receiver = await Receiver.start(t);
    const first = await serve(t, home, flags);
    const run = async <T>(...args: string[]): Promise<T> =>
      (await hosted([...args, '--home', home.dir, '--json'])).json<T>();
    const { access_token: token, ...made } = await run<CreatedPlatform>(
      'platform',
      'create',
      '--name',
      'p',
    );
    const platform = { id: made.id, token };
    await hook({ client: first.client }, platform, { url: receiver.url });
    const create = ['user', 'create', '--platform', platform.id, '--platform-user-id'];
    const users = [await run<CreatedUser>(...create, 'a'), await run<CreatedUser>(...create, 'b')];
    await receiver.has(2);

    // The first node is killed while it delivers an event of each user.
    receiver.answering = () => undefined;
    const folder = async ({ user_id: id, access_token }: CreatedUser, title: string) => {
      const as = ['User', access_token] as const;
      const path = `/api/v1/users/${id}/folders`;
      done(await serving.client.post(path, { as, form: { title } }));
    };
    let serving = first;
    for (const user of users) await folder(user, 'under way');
    await receiver.has(4);
    const underWay = new Set(receiver.received.slice(2).map(({ id }) => id));
    await first.end('SIGKILL');
    receiver.answering = answer(200);
    const second = await serve(t, await joinedHome(t, home), ['--database-url', url, ...flags]);
    const third = await serve(t, await joinedHome(t, home), ['--database-url', url, ...flags]);
    // Claims of a dead node expire after half a minute: the test moves the time.
    await db.query(`UPDATE webhook_lanes SET due_at = now() WHERE claim IS NOT NULL`);
    await receiver.has(6);
    for (let n = 0; n < 10; n += 1) {
      serving = n % 2 ? second : third;
      for (const user of users) await folder(user, `f${n}`);
    }
    await receiver.has(26);
    await eventually('nothing is left', async () => {
      return (await rows(db, 'SELECT FROM webhook_lanes')).length === 0;
    });
    for (const user of users) assertWhole(receiver.received, user.user_id, [1, 12]);
    const ids = receiver.received.map(({ id }) => id);
    const again = ids.filter((id, n) => ids.indexOf(id) < n);
    assert.deepEqual(new Set(again), underWay, 'only what was under way came again');
    assert.equal(receiver.maxOpenPerUser, 1);
  },
);
