import { once } from 'node:events';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:https';
import { acquireLock } from '../../src/base/os/process-lock.js';
import { run } from '../../src/base/os/run.js';
import { jobNames } from '../../src/ops/job-runs.js';
import { sentinelKey } from '../../src/store/sentinel.js';
import { dayMs, minuteMs } from '../../src/base/units.js';
import { nobody } from '../../testkit/expect.js';
import type { Fault } from './fault.js';
import type { Patient, Undo } from './patient.js';

interface Listening {
  readonly undo: Undo;
  readonly port: number;
}

/** Serves on a free port of loopback. */
async function listening(
  server: ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>,
): Promise<Listening> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const undo = async (): Promise<void> => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { undo, port: (server.address() as AddressInfo).port };
}

const website: RequestListener = (_request, response) => void response.end('It works!');

/** Locks the home like a service that hangs: alive but idle. */
async function hanging({ home }: Patient, address = 'http://127.0.0.1:1'): Promise<Undo> {
  const started = new Date(Date.now() - 3 * dayMs).toISOString();
  const lock = await acquireLock(home.serveLock, { address, version: '0', started_at: started });
  return () => lock.release();
}

const atPublicUrl =
  (make: (patient: Patient) => Promise<{ undo: Undo; url: string }>): Fault['inject'] =>
  async (patient) => {
    const { undo, url } = await make(patient);
    const release = await hanging(patient);
    return {
      undo: async () => {
        await undo();
        await release();
      },
      given: { args: ['--public-url', url, '--trust-proxy', '1'] },
    };
  };

const certify = `openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \\
    -subj /CN=localhost -keyout "$1" -out "$2.csr" &&
  openssl x509 -req -in "$2.csr" -key "$1" -days "$3" -out "$2"`;

/** An HTTPS server whose certificate expires in this many days. */
const certified = (days: string): Fault['inject'] =>
  atPublicUrl(async ({ home }) => {
    const [key, crt] = [join(home.dir, 'x.key'), join(home.dir, 'x.crt')];
    const made = await run('sh', ['-c', certify, 'sh', key, crt, days]);
    if (made.code !== 0) throw new Error(made.output);
    const secure = { key: await readFile(key), cert: await readFile(crt) };
    const { undo, port } = await listening(createTlsServer(secure, website));
    const end = async (): Promise<void> => {
      await undo();
      await Promise.all([key, crt, `${crt}.csr`].map((path) => rm(path)));
    };
    return { undo: end, url: `https://127.0.0.1:${port}` };
  });

const officeOf = (issuer: string): string[] => [
  '--oidc-issuer',
  issuer,
  '--oidc-client-id',
  'x',
  '--public-url',
  'https://a.example',
  '--oidc-platforms',
  `groups=x:${nobody}`,
];

/** A provider with this in its discovery document. */
const provider =
  (document: object): Fault['inject'] =>
  async () => {
    let issuer = '';
    const { undo, port } = await listening(
      createServer((_request, response) => {
        const text = JSON.stringify({ issuer, ...document });
        response.setHeader('content-type', 'application/json').end(text);
      }),
    );
    issuer = `http://127.0.0.1:${port}`;
    return { undo, given: { args: officeOf(issuer) } };
  };

/** Faults of a local store and of the service. */
export const faultsOfServices: readonly Fault[] = [
  {
    what: 'a provider of sign-ins that is not there',
    check: 'sign-in',
    level: 'problem',
    says: /http:\/\/127\.0\.0\.1:2\/ cannot be used: .*ECONNREFUSED/,
    cure: /config set oidc\.issuer/,
    given: { args: officeOf('http://127.0.0.1:2') },
  },
  {
    what: 'a provider that calls itself otherwise',
    check: 'sign-in',
    level: 'problem',
    says: /it calls itself https:\/\/other\.example/,
    cure: /to the last slash: .*config set oidc\.issuer/,
    inject: provider({ issuer: 'https://other.example' }),
  },
  {
    what: 'a provider without PKCE',
    check: 'sign-in',
    level: 'problem',
    says: /does not offer PKCE with S256/,
    cure: /Switch it on at the provider/,
    inject: provider({ code_challenge_methods_supported: ['plain'] }),
  },
  {
    what: 'people of a platform that does not exist',
    check: 'sign-in',
    level: 'problem',
    says: /platforms that do not exist: 01900000-0000-7000-8000-000000000000/,
    cure: /platform list/,
    inject: provider({}),
  },
  {
    what: 'a provider without the other settings that it takes',
    check: 'sign-in',
    level: 'problem',
    says: /is missing oidc\.client_id, public_url/,
    cure: /Set oidc\.client_id in config\.yaml/,
    given: { args: ['--oidc-issuer', 'http://127.0.0.1:2'] },
  },
  {
    what: 'a store that cannot be written to',
    check: 'store',
    level: 'problem',
    says: /The store in .+ cannot be used/,
    cure: /df -h .+store/,
    inject: async ({ home }) => {
      await writeFile(join(home.store, 'trial'), ''); // in the way of a folder
      return () => rm(join(home.store, 'trial'));
    },
  },
  {
    what: 'the store of another installation',
    check: 'sentinel',
    level: 'problem',
    says: /belongs to another installation/,
    cure: /database\.url that this store was created with/,
    inject: async ({ home }) => {
      const mark = join(home.store, sentinelKey);
      const before = await readFile(mark);
      await rm(mark);
      await writeFile(mark, '{"instance_id":"019a0000-0000-7000-8000-000000000000"}');
      return () => writeFile(mark, before);
    },
  },
  {
    what: 'an empty folder where the store was mounted',
    check: 'sentinel',
    level: 'problem',
    says: /not the store of this installation: it has no instance\.json/,
    cure: /Mount its file system/,
    inject: async ({ home }) => {
      const mark = join(home.store, sentinelKey);
      const before = await readFile(mark);
      await rm(mark);
      return () => writeFile(mark, before);
    },
  },
  {
    what: 'a store that everybody on the machine can list',
    check: 'store-listing',
    level: 'warning',
    says: /All users of this machine can list the objects/,
    cure: /chmod o-rwx .+store/,
    inject: async ({ home }) => {
      await chmod(home.store, 0o755);
      return () => chmod(home.store, 0o700);
    },
  },
  {
    what: 'a move of the objects that was left unfinished',
    check: 'store-move',
    level: 'warning',
    says: /move from local to s3 has begun/,
    cure: /store migrate --to s3/,
    inject: async (patient) => {
      await patient.sql(`UPDATE instance SET second_store = 's3', moving = true`);
      return () => patient.sql('UPDATE instance SET second_store = NULL, moving = false');
    },
  },
  {
    what: 'a service that does not run',
    check: 'service',
    level: 'warning',
    says: /The service is not running/,
    cure: /imgstore serve --home/,
  },
  {
    what: 'a service that hangs',
    check: 'service',
    level: 'problem',
    says: /Process \d+ is running, but does not answer/,
    cure: /kill \d+/,
    inject: hanging,
  },
  {
    what: 'a service of another version',
    check: 'service',
    level: 'warning',
    says: /The running service is version 0; version \d.+ is installed/,
    cure: /systemctl restart imgstore/,
    inject: async (patient) => {
      const ready = JSON.stringify({ status: 'ok', parts: { database: 'ok' } });
      const server = createServer((_request, response) => void response.end(ready));
      const { undo, port } = await listening(server);
      const release = await hanging(patient, `http://127.0.0.1:${port}`);
      return () => Promise.all([undo(), release()]);
    },
  },
  {
    what: 'a service with a part that is down',
    check: 'service',
    level: 'problem',
    says: /The service is not ready: database/,
    cure: /journalctl -u imgstore/,
    inject: async (patient) => {
      const details = { database: 'down', store: 'ok' };
      const body = JSON.stringify({ error: { message: 'unavailable', details } });
      const { undo, port } = await listening(
        createServer((_request, response) => void response.writeHead(503).end(body)),
      );
      const release = await hanging(patient, `http://127.0.0.1:${port}`);
      return () => Promise.all([undo(), release()]);
    },
  },
  {
    what: 'a port that another program has',
    check: 'port',
    level: 'problem',
    says: /Port \d+ on 127\.0\.0\.1 is already in use by another program/,
    cure: /serve --port \d+/,
    inject: async () => {
      const { undo, port } = await listening(createServer(website));
      return { undo, given: { args: ['--port', String(port)] } };
    },
  },
  {
    what: 'a port that the next start will change',
    check: 'port',
    level: 'warning',
    says: /listens on port 1; after a restart it will listen on 8080/,
    cure: /config set port 1/,
    inject: hanging,
  },
  {
    what: 'a public URL that nothing answers at',
    check: 'public-url',
    level: 'problem',
    says: /http:\/\/127\.0\.0\.1:9 cannot be reached from here/,
    cure: /proxy-config nginx .+config set public_url/,
    inject: atPublicUrl(async () => ({ undo: async () => undefined, url: 'http://127.0.0.1:9' })),
  },
  {
    what: 'a public URL that leads elsewhere',
    check: 'public-url',
    level: 'problem',
    says: /leads to another service: it answers 200/,
    cure: /config set public_url/,
    inject: atPublicUrl(async () => {
      const { undo, port } = await listening(createServer(website));
      return { undo, url: `http://127.0.0.1:${port}` };
    }),
  },
  {
    what: 'a certificate that is about to end',
    check: 'certificate',
    level: 'warning',
    says: /valid for 2 more days/,
    cure: /certbot renew --dry-run/,
    inject: certified('3'),
  },
  {
    what: 'a certificate that has ended',
    check: 'certificate',
    level: 'problem',
    says: /The certificate of https:.+ expired on/,
    cure: /certbot renew --dry-run/,
    inject: certified('-1'),
  },
  {
    what: 'a proxy that no setting mentions',
    check: 'proxy',
    level: 'warning',
    says: /trust_proxy is 0/,
    cure: /config set trust_proxy 1/,
    given: { args: ['--public-url', 'https://img.example.com'] },
  },
  {
    what: 'jobs that do not run',
    check: 'jobs',
    level: 'problem',
    says: /"reclaim objects" has not run for 3 days.+"expire trash" has not run for 3 days/,
    cure: /systemctl restart imgstore/,
    inject: hanging,
  },
  {
    what: 'a job that has not been run at night for three days, though the service was restarted',
    check: 'jobs',
    level: 'problem',
    says: /^"expire trash" has not run for 3 days\.$/,
    cure: /systemctl restart imgstore/,
    inject: async (patient) => {
      const started_at = new Date(Date.now() - 20 * minuteMs).toISOString();
      const info = { address: 'http://127.0.0.1:1', version: '0', started_at };
      const lock = await acquireLock(patient.home.serveLock, info);
      await patient.sql(
        `INSERT INTO job_runs SELECT job, at, at, NULL
         FROM unnest('{${jobNames.join(',')}}'::text[]) AS job,
              LATERAL (SELECT now() - interval '1 day' * CASE job WHEN 'expire trash' THEN 3 ELSE 0 END AS at) AS moment`,
      );
      return () => Promise.all([lock.release(), patient.sql('DELETE FROM job_runs')]);
    },
  },
  {
    what: 'maintenance that is still on',
    check: 'maintenance',
    level: 'warning',
    says: /in maintenance for 2 days/,
    cure: /imgstore maintenance off/,
    inject: async (patient) => {
      await patient.sql(`UPDATE instance SET read_only_since = now() - interval '2 days'`);
      return () => patient.sql('UPDATE instance SET read_only_since = NULL');
    },
  },
  {
    what: 'a job that failed',
    check: 'jobs',
    level: 'warning',
    says: /"forget expired refresh tokens" failed: no such table/,
    cure: /journalctl -u imgstore/,
    inject: async (patient) => {
      const started_at = new Date().toISOString();
      const info = { address: 'http://127.0.0.1:1', version: '0', started_at };
      const lock = await acquireLock(patient.home.serveLock, info);
      await patient.sql(
        `INSERT INTO job_runs VALUES ('forget expired refresh tokens', now(), now(), 'no such table')`,
      );
      return () => Promise.all([lock.release(), patient.sql('DELETE FROM job_runs')]);
    },
  },
  {
    what: 'objects that cannot be deleted',
    check: 'reclaim',
    level: 'problem',
    says: /1 object cannot be deleted, one for 2 days: a \(EROFS: read-only file system\)/,
    cure: /Make the files and their folders writable/,
    inject: async (patient) => {
      await patient.sql(
        `INSERT INTO object_reclaim (key, not_before, attempts, created_at, last_error)
         VALUES ('a', now() + interval '1 hour', 9, now() - interval '2 days',
                 'EROFS: read-only file system')`,
      );
      return () => patient.sql('DELETE FROM object_reclaim');
    },
  },
  {
    what: 'trash that nobody empties',
    check: 'trash',
    level: 'problem',
    says: /should have been deleted after 30 days/,
    cure: /trash list .+trash empty --user/,
    inject: async (patient) => {
      await patient.sql(
        `INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), 'p')`,
        `INSERT INTO users (id, platform_id, platform_user_id, max_storage_bytes)
         SELECT gen_random_uuid(), id, 'u', 1 FROM platforms`,
        `INSERT INTO folders (id, user_id, title, deleted_at)
         SELECT gen_random_uuid(), id, 't', now() - interval '40 days' FROM users`,
      );
      return () => patient.sql('TRUNCATE platforms, users, folders CASCADE');
    },
  },
  {
    what: 'a webhook that is paused',
    check: 'webhooks',
    level: 'warning',
    says: /The webhook [\da-f-]{36} is paused \(its server is gone\)/,
    cure: /webhook test [\da-f-]{36}.+webhook resume [\da-f-]{36}/,
    inject: async (patient) => {
      await patient.sql(
        `INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), 'p')`,
        `INSERT INTO webhooks (id, platform_id, url, sealed, paused_reason, feed_position, user_id, seq)
         SELECT gen_random_uuid(), id, 'https://example.com', '', 'its server is gone', 0, id, 0
         FROM platforms`,
      );
      return () => patient.sql('TRUNCATE platforms CASCADE');
    },
  },
  {
    what: 'an identity provider whose key set cannot be read',
    check: 'identities',
    level: 'warning',
    says: /1 key set of 1 cannot be read: https:\/\/10\.0\.0\.1\/ of the platform [\da-f-]{36}: url must be .+identity\.allow_networks/,
    cure: /platform identity show/,
    inject: async (patient) => {
      await patient.sql(
        `INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), 'p')`,
        `INSERT INTO identities (platform_id, id, issuer, audience, jwks_url, user_claim, create_users, allow)
         SELECT id, gen_random_uuid(), 'i', 'a', 'https://10.0.0.1/', 'sub', false, '{read}' FROM platforms`,
      );
      return () => patient.sql('TRUNCATE platforms CASCADE');
    },
  },
  {
    what: 'a time-stamping service that does not answer',
    check: 'time-stamps',
    level: 'warning',
    says: /1 log got no time stamp when one was last asked for: no answer within 10 s/,
    cure: /custody\.timestamp_url.+once a minute/,
    inject: async (patient) => {
      await patient.sql(
        `INSERT INTO platforms (id, name) VALUES (gen_random_uuid(), 'p')`,
        `INSERT INTO custody_logs (platform_id, origin, key, size, checkpoint, stamp_error)
         SELECT id, 'o', 'k', 1, 'c', 'no answer within 10 s' FROM platforms
         ON CONFLICT (platform_id) WHERE ended_at IS NULL DO UPDATE SET stamp_error = excluded.stamp_error`,
      );
      return () => patient.sql('TRUNCATE platforms CASCADE');
    },
  },
];
