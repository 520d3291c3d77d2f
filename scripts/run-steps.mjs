import { spawnSync } from 'node:child_process';

/**
 * Runs the steps of a table that the first argument names, with all further arguments for the last one.
 * @param table steps by name: each is environment variables, if any, and a program with its arguments.
 */
export function runSteps(script, table) {
  const [name, ...rest] = process.argv.slice(2);
  const steps = table[name];
  if (!steps) {
    process.stderr.write(`Usage: npm run ${script} -- ${Object.keys(table).join('|')}\n`);
    process.exit(2);
  }
  for (const [n, { env = {}, run }] of steps.entries()) {
    const [program, ...args] = [...run, ...(n === steps.length - 1 ? rest : [])];
    const { status } = spawnSync(program, args, {
      stdio: 'inherit',
      env: Object.assign({}, process.env, env),
    });
    if (status !== 0) process.exit(status ?? 1);
  }
}
