// Loaded into the processes of a service by `--import`. At every second SIGUSR2, writes which functions of
// the bundle have run since the one before: a URL and the offset where the function begins, per line.
import { renameSync, writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const folder = process.env.IMGSTORE_FUNCTIONS_RUN;

/** What runs when the bundle is loaded begins at 0, and does not count. */
const ran = ({ url, functions }: Profiler.ScriptCoverage): string[] =>
  functions.flatMap(({ ranges: [range] }) =>
    range && range.count > 0 && range.startOffset > 0 ? [`${url} ${range.startOffset}`] : [],
  );

/** The name says whose it is, and whether functions are being noted. */
function write(state: 'noting' | 'noted', lines: readonly string[]): void {
  const part = `${folder}/${process.pid}.part`;
  writeFileSync(part, lines.join('\n'));
  renameSync(part, `${folder}/${process.pid}.${state}`);
}

let session: Session | undefined;

function turn(): void {
  const ending = session;
  session = ending ? undefined : new Session();
  if (ending) {
    ending.post('Profiler.takePreciseCoverage', (_error, { result }) =>
      write('noted', result.filter(({ url }) => url.includes('/dist/bundle/')).flatMap(ran)),
    );
    ending.disconnect();
  } else if (session) {
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    write('noting', []);
  }
}

if (isMainThread && folder) process.on('SIGUSR2', turn);
