import { Command, CommanderError } from 'commander';
import { version } from '../config/version.js';
import { ServiceError } from '../errors/catalogue.js';
import { ExitCode, OperatorError, wrongUsage } from '../errors/operator.js';
import { registerAdmin } from './commands/admin.js';
import { registerConfig } from './commands/config.js';
import { registerInit } from './commands/init.js';
import { registerKeys } from './commands/keys.js';
import { registerMigrate } from './commands/migrate.js';
import { registerPlatform } from './commands/platform.js';
import { registerProxyConfig } from './commands/proxy-config.js';
import { registerServe } from './commands/serve.js';
import { registerStats } from './commands/stats.js';
import { registerStatus } from './commands/status.js';
import { registerStore } from './commands/store.js';
import { registerTrash } from './commands/trash.js';
import { registerUp } from './commands/up.js';
import { registerUser } from './commands/user.js';
import { AlreadyTold } from './silent-exit.js';
import { Ui } from './ui.js';

// Commands load the database, sharp and Express only when they run: --help must stay instant.
const commands = [
  registerInit,
  registerServe,
  registerUp,
  registerMigrate,
  registerAdmin,
  registerPlatform,
  registerUser,
  registerKeys,
  registerStatus,
  registerStats,
  registerStore,
  registerTrash,
  registerConfig,
  registerProxyConfig,
];

function createProgram(): Command {
  const program = new Command('imgstore')
    .description(
      'Self-hosted image storage: an HTTP API over PostgreSQL/PostGIS and an object store',
    )
    .version(version())
    .showHelpAfterError('(add --help for the usage)');
  for (const register of commands) register(program);
  return program;
}

/** Commander must throw rather than exit, so that errors leave through one door. */
function throwAll(command: Command, quiet: boolean): void {
  command.exitOverride();
  if (quiet) command.configureOutput({ writeErr: () => undefined });
  for (const child of command.commands) throwAll(child, quiet);
}

async function main(argv: string[]): Promise<number> {
  const json = argv.includes('--json');
  const program = createProgram();
  throwAll(program, json);
  try {
    await program.parseAsync(argv);
    return ExitCode.ok;
  } catch (error) {
    if (error instanceof AlreadyTold) return error.exitCode;
    if (!(error instanceof CommanderError)) return new Ui(json).fail(await explained(error));
    if (error.exitCode === 0) return ExitCode.ok;
    if (json)
      new Ui(json).fail(
        wrongUsage(error.message.replace(/^error: /, ''), { remedy: 'imgstore --help' }),
      );
    return ExitCode.usage;
  }
}

/** The database may fail in the middle of any command. */
async function explained(error: unknown): Promise<unknown> {
  if (error instanceof OperatorError || error instanceof ServiceError) return error;
  const { explainServer } = await import('../database/explain.js');
  return explainServer(error) ?? error;
}

process.exitCode = await main(process.argv);
