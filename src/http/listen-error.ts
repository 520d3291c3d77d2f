import { flagOf } from '../base/config/options.js';
import type { OptionKey } from '../base/config/options.js';
import { failure } from '../base/errors/operator.js';
import { commandLine } from '../base/os/command-line.js';

/** Explains a failed `listen` to the operator. */
export function listenError(
  cause: unknown,
  host: string,
  port: number,
  settings: { readonly host: OptionKey; readonly port: OptionKey } = { host: 'host', port: 'port' },
): Error {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return failure(`Port ${port} on ${host} is already in use by another program.`, {
        setting: settings.port,
        remedy: `Choose another port, as in "${commandLine('serve', flagOf(settings.port), String(port < 65_535 ? port + 1 : port - 1))}", or stop the other program.`,
        cause,
      });
    case 'EACCES':
      return failure(`This user may not listen on port ${port}.`, {
        setting: settings.port,
        remedy: 'Choose a port above 1023.',
        cause,
      });
    default:
      return failure(`Cannot listen on ${host}:${port}: ${(cause as Error).message}`, {
        setting: settings.host,
        remedy: `Choose an IP address of this machine, as in "${commandLine('serve', flagOf(settings.host), '127.0.0.1')}".`,
        cause,
      });
  }
}
