// npm run generate -- NAME: writes what is derived and seldom changes. What changes with the interface has
// names of its own: npm run docs, schema, client, guide.
import { runSteps } from './run-steps.mjs';

const node = (...args) => ({ run: [process.execPath, ...args] });
const dashboard = 'packaging/monitoring/grafana/dashboards/imgstore.json';

runSteps('generate', {
  dashboard: [{ run: ['sh', '-c', `node scripts/monitoring/dashboard.mjs > ${dashboard}`] }],
  frozen: [node('scripts/freeze-migrations.mjs')],
  pictures: [
    {
      env: { IMGSTORE_CONSOLE_PICTURES: '1' },
      run: [process.execPath, 'dist/scripts/test.js', 'console/browser/pages', '--name', 'screenshots'],
    },
  ],
});
