import { failure } from '../errors/operator.js';
import { commandLine } from '../os/command-line.js';

/** Explains a failed `listen` to the operator. */
export function listenError(cause: unknown, host: string, port: number): Error {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return failure(`Port ${port} on ${host} is already in use by another program.`, {
        setting: 'port',
        remedy: `Choose another port, as in "${commandLine('serve', '--port', '8081')}", or stop the other program.`,
        cause,
      });
    case 'EACCES':
      return failure(`This user may not listen on port ${port}.`, {
        setting: 'port',
        remedy: 'Choose a port above 1023.',
        cause,
      });
    default:
      return failure(`Cannot listen on ${host}:${port}: ${(cause as Error).message}`, {
        setting: 'host',
        remedy: `Choose an address of this machine, as in "${commandLine('serve', '--host', '127.0.0.1')}".`,
        cause,
      });
  }
}
