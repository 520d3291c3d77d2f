/** A program for the tests, started as imaging processes are: tells what it can reach. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface Reach {
  /** The code of the error, or `done`, by what was tried. */
  readonly tried: Record<string, string>;
  readonly status: string;
  readonly environment: string[];
  readonly descriptors: number;
}

function attempt(action: () => unknown): string {
  try {
    action();
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

process.on('message', ({ key, picture }: { key: string; picture: string }) => {
  const reach: Reach = {
    tried: {
      key: attempt(() => readFileSync(key)),
      'key from where it stands': attempt(() => readFileSync('../secrets/master.key')),
      'memory of the service': attempt(() => readFileSync(`/proc/${process.ppid}/environ`)),
      'list of uploads': attempt(() => readdirSync('.')),
      picture: attempt(() => readFileSync(picture)),
      'change of the picture': attempt(() => writeFileSync(picture, '')),
      'new file beside it': attempt(() => writeFileSync(`${picture}.new`, '')),
    },
    status: readFileSync('/proc/self/status', 'utf8'),
    environment: Object.keys(process.env),
    descriptors: readdirSync('/proc/self/fd').length,
  };
  process.send?.(reach);
});
