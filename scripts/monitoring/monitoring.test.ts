// npm run test:system -- metrics: checks the alert rules with promtool, then runs a real Prometheus against a real
// service: every dashboard query must return data, and every metric of the alerts must exist. Takes a
// minute or two; the first run downloads Prometheus through apt, without installing it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { packageFile } from '../../src/base/installed-files.js';
import { run } from '../../src/base/os/run.js';
import { secondMs } from '../../src/base/units.js';
import { imgstore, newPrivateHome } from '../../testkit/command.js';
import { eventually } from '../../testkit/eventually.js';
import { freePort } from '../../testkit/nginx.js';
import { canvas, filePart, jpeg } from '../../testkit/pictures.js';
import { findPrometheus } from '../../testkit/prometheus.js';
import { lastFirst } from '../../testkit/scope.js';
import { serve } from '../../testkit/appliance.js';
import { temporaryDirectory } from '../../testkit/temporary.js';

const scope = lastFirst({ after });
const files = packageFile('packaging/monitoring');
const alertTests = packageFile('scripts/monitoring/alerts.test.yml');
const tools = await findPrometheus((message) => console.log(message));
const read = async <T>(path: string): Promise<T> =>
  parse(await readFile(join(files, path), 'utf8')) as T;

/** The rules of alerts.yml. */
interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
}

/** What of prometheus.yml is changed here. */
interface Settings {
  global: object;
  rule_files: string[];
  scrape_configs: [{ static_configs: object[] }];
}

/** Answers of Prometheus. */
interface Series {
  readonly result: readonly { readonly value: readonly [at: number, value: string] }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly name: string;
      readonly query: string;
      readonly health: string;
      readonly lastError?: string;
      readonly state: string;
    }[];
  }[];
}

interface Prometheus {
  ask(path: 'rules'): Promise<Rules | undefined>;
  ask(path: 'query', query: { readonly query: string }): Promise<Series | undefined>;
}

async function promtool(...args: string[]): Promise<string> {
  const { code, output } = await run(tools.promtool, args, { env: tools.env });
  assert.equal(code, 0, output);
  return output;
}

test('promtool accepts the rules and the example, and the alerts fire when they should', async () => {
  await promtool('check', 'config', join(files, 'prometheus.yml'));
  await promtool('check', 'rules', join(files, 'alerts.yml'));
  await promtool('test', 'rules', alertTests);
});

test('each alert is tested', async () => {
  const tested = await readFile(alertTests, 'utf8');
  const { groups } = await read<Alerts>('alerts.yml');
  for (const { alert } of groups.flatMap(({ rules }) => rules)) {
    assert.ok(tested.includes(alert), alert);
  }
});

/** A service with two HTTP processes, and a function that makes it do a bit of everything. */
async function workingService() {
  const home = await newPrivateHome(scope);
  const port = await freePort();
  const flags = ['--workers', '2', '--metrics-port', String(port)];
  await imgstore(['init', '--yes', '--home', home.dir]);
  const { user, client } = await serve(scope, home, flags, 'up');
  const as = ['User', user.token] as const;
  const { images } = user;
  const work = async (): Promise<void> => {
    for (const picture of [
      await jpeg({ width: 1200, height: 900 }),
      await canvas(40, 30).png().toBuffer(),
    ]) {
      const form = { image_data: filePart(picture) };
      const { result } = await client.post<{ id: string; path_url: string }>(images, { as, form });
      await (await fetch(result.path_url)).arrayBuffer();
      await client.get(images, { as });
      await client.get(`${images}/${result.id}`, { as });
    }
  };
  return { target: `127.0.0.1:${port}`, work };
}

/** Prometheus with the example's settings, scraping this service. */
async function startPrometheus(target: string): Promise<Prometheus['ask']> {
  const dir = await temporaryDirectory('prometheus');
  scope.after(() => rm(dir, { recursive: true, force: true }));
  const config = await read<Settings>('prometheus.yml');
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  config.rule_files = [join(files, 'alerts.yml')];
  config.scrape_configs[0].static_configs = [{ targets: [target] }];
  await writeFile(join(dir, 'prometheus.yml'), stringify(config));
  const listenAddress = `127.0.0.1:${await freePort()}`;
  const flags = [
    `--config.file=${join(dir, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(dir, 'data')}`,
    `--web.listen-address=${listenAddress}`,
    '--log.level=warn',
  ];
  const env = { ...process.env, ...tools.env };
  const child = spawn(tools.prometheus, flags, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  scope.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const ask = async (
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const url = new URL(`http://${listenAddress}/api/v1/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await fetch(url).catch(() => undefined);
    if (!answer || answer.status === 503) return undefined; // not yet
    const { status, error, data } = (await answer.json()) as {
      status: string;
      error?: string;
      data: unknown;
    };
    assert.equal(status, 'success', `${error}: ${JSON.stringify(query)}`);
    return data;
  };
  return ask as Prometheus['ask'];
}

/** Selectors without series on a healthy node. */
const expectedEmpty = ['imgstore_http_requests_total{status=~"5.."}'];

describe('a real Prometheus', () => {
  let ask: Prometheus['ask'];
  let scraped: string;
  before(async () => {
    const { target, work } = await workingService();
    await work();
    ask = await startPrometheus(target);
    const scrapes = async (): Promise<number> => {
      const data = await ask('query', { query: 'count_over_time(up{job="imgstore"}[5m])' });
      return Number(data?.result[0]?.value[1] ?? 0);
    };
    await eventually('the service is scraped', async () => (await scrapes()) > 1, 60 * secondMs);
    await work();
    await eventually('rates have values', async () => (await scrapes()) > 8, 60 * secondMs);
    scraped = await (await fetch(`http://${target}/metrics`)).text();
  });

  test('promtool accepts the names and units of the metrics', async () => {
    const own = scraped.split('\n').filter((line) => /^(# \w+ )?imgstore_/.test(line));
    const input = `${own.join('\n')}\n`;
    const { code, output } = await run(tools.promtool, ['check', 'metrics'], {
      env: tools.env,
      input,
    });
    assert.equal(code, 0, output);
  });

  test('every query of the dashboard returns data', async () => {
    const text = await readFile(join(files, 'grafana/dashboards/imgstore.json'), 'utf8');
    const { panels } = JSON.parse(text) as {
      panels: { title: string; targets?: { expr: string }[] }[];
    };
    const empty: string[] = [];
    let queries = 0;
    for (const { title, targets = [] } of panels) {
      for (const { expr } of targets) {
        const query = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');
        const found = await ask('query', { query });
        if (!found || found.result.length === 0) empty.push(`${title}: ${query}`);
        queries += 1;
      }
    }
    assert.deepEqual(empty, []);
    assert.ok(queries > 50, `${queries} queries`);
  });

  test('every series that the alerts use exists, and no alert fires', async () => {
    const answer = await ask('rules');
    const rules = (answer?.groups ?? []).flatMap((group) => group.rules);
    assert.ok(rules.length > 15);
    for (const { name, query, health, lastError } of rules) {
      assert.equal(health, 'ok', `${name}: ${lastError}`);
      const selectors = query.match(/\b(?:up|imgstore_\w+|nodejs_\w+|process_\w+)(?:\{[^}]*\})?/g);
      assert.ok(selectors, name);
      for (const selector of selectors) {
        if (expectedEmpty.includes(selector)) continue;
        const found = await ask('query', { query: selector });
        assert.ok(found && found.result.length > 0, `${name}: nothing for ${selector}`);
      }
    }
    const states = rules.map(({ name, state }) => `${name} ${state}`);
    assert.deepEqual(
      states.filter((state) => !/ImgstoreDiskFillsUp|inactive$/.test(state)),
      [],
    );
  });
});
