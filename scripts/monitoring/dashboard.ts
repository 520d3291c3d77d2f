// npm run generate -- dashboard: writes the Grafana dashboard from the table of its panels.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { packageFile } from '../../src/base/installed-files.js';
import { rows, type Panel } from './panels.js';

const datasource = { type: 'prometheus', uid: '${datasource}' };

/** Sizes in Grafana's grid, which is 24 wide. */
const chart = { w: 8, h: 8 };
const stat = { w: 4, h: 4 };

/** "up" and "name" are not units of Grafana: 1 and 0 as words, and the legend in place of the number. */
const unitOf = (unit: string) =>
  unit === 'up'
    ? {
        mappings: [
          {
            type: 'value',
            options: {
              0: { text: 'down', color: 'red', index: 0 },
              1: { text: 'up', color: 'green', index: 1 },
            },
          },
        ],
      }
    : { unit: unit === 'name' ? 'none' : unit };

function panelOf({ title, kind, unit, queries }: Panel, gridPos: object) {
  const targets = queries.map(([expr, legendFormat], n) => ({
    datasource,
    expr,
    legendFormat: legendFormat || '__auto',
    refId: String.fromCharCode('A'.charCodeAt(0) + n),
    ...(kind === 'stat' && { instant: true }),
  }));
  return {
    type: kind,
    title,
    datasource,
    gridPos,
    targets,
    fieldConfig: { defaults: { ...unitOf(unit), min: 0 }, overrides: [] },
    options:
      kind === 'stat'
        ? {
            reduceOptions: { calcs: ['lastNotNull'] },
            colorMode: 'value',
            ...(unit === 'name' && { textMode: 'name' }),
          }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  };
}

/** Rows one below the other, panels from left to right. */
function panels() {
  const placed: object[] = [];
  let y = 0;
  for (const [title, inRow] of Object.entries(rows)) {
    placed.push({
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    });
    y += 1;
    let x = 0;
    let tallest = 0;
    for (const panel of inRow) {
      const size = panel.kind === 'stat' ? stat : chart;
      if (x + size.w > 24) [x, y, tallest] = [0, y + tallest, 0];
      placed.push(panelOf(panel, { x, y, ...size }));
      x += size.w;
      tallest = Math.max(tallest, size.h);
    }
    y += tallest;
  }
  return placed.map((panel, n) => ({ id: n + 1, ...panel }));
}

const dashboard = {
  uid: 'imgstore',
  title: 'imgstore',
  tags: ['imgstore'],
  schemaVersion: 39,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
      {
        name: 'instance',
        label: 'Node',
        type: 'query',
        datasource,
        query: { query: 'label_values(imgstore_build_info, instance)', refId: 'instance' },
        refresh: 2,
        multi: true,
        includeAll: true,
        allValue: '.*',
      },
    ],
  },
  panels: panels(),
};

/** The file as it is kept. */
export const dashboardText = (): Promise<string> =>
  format(JSON.stringify(dashboard), { parser: 'json', printWidth: 100 });

export const dashboardPath = 'packaging/monitoring/grafana/dashboards/imgstore.json';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(packageFile(dashboardPath), await dashboardText());
}
