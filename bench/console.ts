import { openChromium } from '../testkit/chromium.js';
import { Started } from '../testkit/scope.js';
import { interrupted, interruption, misused, numberOf, readOptions } from '../testkit/script.js';
import { browse } from './console/many.js';
import { actAsPeople } from './console/people.js';
import type { Desk, Section } from './console/traffic.js';
import { workBesideUploads } from './console/work.js';
import { openTarget } from './evidence/target.js';
import { markdownTable } from './harness/report.js';
import { report } from './private-service.js';

const usage = `Usage: npm run bench -- --console [--only PART] [--minutes N] [--pictures N] [--json]

What the console takes of people and of the server, in Chromium. Exit code 1 if a step fails, a page reports an error,
or work beside uploads takes more requests than one for each ten seconds.

  --only PART   person: what people do in it, in clicks, keys (a text that is typed counts once), and seconds, in
                which nobody thinks or aims
                work: somebody looks at pictures while another client uploads six a minute
                many: many pictures: the first page, scrolling, and moving all of them and back; they have no files
  --minutes N   of work (default: 10)
  --pictures N  that are many (default: 100000)
  --json        prints one document in place of tables`;

const given = readOptions(usage, {
  only: { type: 'string' },
  minutes: { type: 'string', default: '10' },
  pictures: { type: 'string', default: '100000' },
  json: { type: 'boolean', default: false },
});
const minutes = numberOf(['minutes', given.minutes], usage, 0.5);
const pictures = numberOf(['pictures', given.pictures], usage, 500);

const sections = new Map<string, (desk: Desk) => Promise<Section>>([
  ['person', actAsPeople],
  ['work', (desk) => workBesideUploads(desk, minutes)],
  ['many', (desk) => browse(desk, pictures)],
]);
const chosen = [...sections].filter(([name]) => given.only === undefined || name === given.only);
if (chosen.length === 0) misused(`There is no part ${given.only}.`, usage);

const stop = interruption();
const isStopped = new Promise<never>((_, reject) => {
  stop.addEventListener('abort', () => reject(new Error('interrupted')));
});
isStopped.catch(() => undefined);
const scope = new Started();
const results: Record<string, Section> = {};
try {
  report('Starting a server and Chromium');
  const { serving, db } = await openTarget(scope);
  // Otherwise, Playwright would end this process before what it has started.
  const browser = await openChromium(scope, { handleSIGINT: false, handleSIGTERM: false });
  const desk = { scope, db, browser, tenant: serving.tenant, url: `${serving.url}/console` };
  stop.throwIfAborted();
  for (const [name, run] of chosen) {
    const section = await Promise.race([run(desk), isStopped]);
    results[name] = section;
    if (section.findings.length > 0) process.exitCode = 1;
    if (given.json) continue;
    console.log(`${markdownTable(section.head, section.rows)}\n`);
    for (const finding of section.findings) console.log(`${name}: ✖ ${finding}`);
  }
  if (given.json) console.log(JSON.stringify(results, null, 2));
} catch (error) {
  if (!stop.aborted) throw error;
  process.exitCode = interrupted;
} finally {
  await scope.end();
}
if (stop.aborted) process.exit();
