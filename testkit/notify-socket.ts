import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Scope } from './scope.js';

/**
 * Receives datagrams and prints each on a line, with "|" in place of line ends. It is in Perl, which
 * every Debian has, because Node has no Unix datagram sockets.
 */
const receiver = `
use Socket; $| = 1;
socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die $!;
bind($s, sockaddr_un($ARGV[0])) or die $!;
print "bound\\n";
while (defined recv($s, my $m, 65536, 0)) { $m =~ s/\\n/|/g; print "$m\\n"; }
`;

/** The socket of a service manager, and the messages that arrive on it. */
export interface NotifySocket {
  readonly path: string;
  /** All messages up to and including the next matching one. */
  until(pattern: RegExp): Promise<string[]>;
}

export async function notifySocket(scope: Scope): Promise<NotifySocket> {
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-notify-'));
  await chmod(dir, 0o755);
  const path = join(dir, 'socket');
  const child = spawn('perl', ['-e', receiver, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  scope.after(async () => {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
    await rm(dir, { recursive: true, force: true });
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const read = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done) throw new Error('The receiver has ended.');
    return line.value;
  };
  await read(); // it is bound
  return {
    path,
    until: async (pattern) => {
      const messages: string[] = [];
      for (let message = ''; !pattern.test(message); messages.push(message)) message = await read();
      return messages;
    },
  };
}
