/** A program for tests that is started like imaging processes and reports what it can access. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface Reach {
  /** The error code or `done` for each attempt. */
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
