// npm run test:system -- NAME: tests with other programs, or in a throwaway Debian, that `npm test` would
// take too long for. All take minutes; clients, debian, docker, release, and upgrade need root.
import { runSteps } from './run-steps.mjs';

const node = (...args) => ({ run: [process.execPath, ...args] });

runSteps('test:system', {
  clients: [node('--test', 'scripts/clients/clients.test.mjs')],
  debian: [node('scripts/package-test.mjs')],
  docker: [node('scripts/docker-test.mjs')],
  metrics: [node('--test', 'scripts/monitoring/monitoring.test.mjs')],
  release: [node('scripts/release-test.mjs')],
  upgrade: [
    {
      env: { IMGSTORE_TEST_LONG: '1' },
      run: [
        process.execPath,
        'dist/scripts/test.js',
        'test/upgrade',
        'test/move/database',
        'test/backup',
        'src/database/postgres/dumps',
        'test/database/cluster',
      ],
    },
    node('scripts/upgrade-test.mjs'),
  ],
});
