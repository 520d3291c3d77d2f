import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { dashboardPath, dashboardText } from '../../scripts/monitoring/dashboard.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const files = 'packaging/monitoring';
const dashboard = read(dashboardPath);
const alerts = read(`${files}/alerts.yml`);
// test/telemetry/metrics.test.ts compares it with a scrape.
const page = read('docs/metrics.md');

test('the dashboard matches its panels; "npm run generate -- dashboard" writes it', async () => {
  assert.equal(dashboard, await dashboardText());
});

test('dashboard and alerts use only existing metrics', () => {
  const listed = new Set([...page.matchAll(/^\| `(imgstore_\w+)` /gm)].map(([, name]) => name));
  assert.ok(listed.size > 30);
  const asked = new Set(`${dashboard}${alerts}`.match(/\bimgstore_\w+/g));
  assert.ok(asked.size > 30);
  for (const name of asked) {
    const metric = name.replace(/_(?:bucket|sum|count)$/, '');
    assert.ok(listed.has(name) || listed.has(metric), name);
  }
  for (const metric of listed) {
    assert.ok(
      [...asked].some((name) => name.startsWith(metric ?? '')),
      `nothing shows ${metric}`,
    );
  }
});

test('each alert has a row in the handbook', () => {
  interface Rules {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
  }
  const { groups } = parse(alerts) as Rules;
  const named = groups.flatMap(({ rules }) => rules).map(({ alert }) => alert);
  const rows = [...page.matchAll(/^\| `(Imgstore\w+)` /gm)].map(([, alert]) => alert);
  assert.deepEqual(rows, named);
});
