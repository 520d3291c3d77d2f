// npm run generate -- NAME: writes what is derived and seldom changes; what changes with the interface has
// names of its own: npm run docs, schema, client, guide.
// npm run test:system -- NAME: tests with other programs, or in a throwaway Debian, that `npm test` would
// take too long for. All take minutes; clients, debian, docker, release, and upgrade need root.
import { spawnSync } from 'node:child_process';
import { packageFile } from '../src/base/installed-files.js';

interface Step {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const node = (...args: string[]): Step => ({ args });
const tests = (env: Step['env'] = {}, ...words: string[]): Step => ({
  args: ['dist/scripts/test.js', ...words],
  env,
});

/** The steps by the command of npm and their name. */
const commands: Readonly<Record<string, Readonly<Record<string, readonly Step[]>>>> = {
  generate: {
    dashboard: [node('dist/scripts/monitoring/dashboard.js')],
    pictures: [
      tests({ IMGSTORE_CONSOLE_PICTURES: '1' }, 'console/browser/pages', '--name', 'screenshots'),
    ],
  },
  'test:system': {
    clients: [node('--test', 'dist/scripts/clients/clients.test.js')],
    debian: [node('dist/scripts/package-test.js')],
    docker: [node('dist/scripts/docker-test.js')],
    metrics: [node('--test', 'dist/scripts/monitoring/monitoring.test.js')],
    release: [node('dist/scripts/release-test.js')],
    upgrade: [
      tests(
        { IMGSTORE_TEST_LONG: '1' },
        'test/upgrade',
        'test/move/database',
        'test/backup',
        'src/database/postgres/dumps',
        'test/database/cluster',
      ),
      node('dist/scripts/upgrade-test.js'),
    ],
  },
};

const [command = '', name = '', ...rest] = process.argv.slice(2);
const steps = commands[command]?.[name];
if (!steps) {
  const names = Object.keys(commands[command] ?? {});
  process.stderr.write(`Usage: npm run ${command} -- ${names.join('|')}\n`);
  process.exit(2);
}
for (const { args, env } of steps) {
  // Further arguments are for the last step.
  const all = [...args, ...(steps.at(-1)?.args === args ? rest : [])];
  const { status } = spawnSync(process.execPath, all, {
    cwd: packageFile('.'),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) process.exit(status ?? 1);
}
