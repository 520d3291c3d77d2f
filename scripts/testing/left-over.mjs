// What tests leave behind when they are stopped: a service in a process group of its own, its database.
import { readdir, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { allGone, startsOf, withDescendants } from '../../dist/testkit/processes.js';
import { abandonedDirectories } from '../../dist/testkit/temporary.js';

/** Time for a service and its database to end by themselves, in milliseconds. */
const patienceMs = 10_000;

function signalAll(started, signal) {
  for (const [pid, start] of started) {
    if (startsOf([pid]).get(pid) !== start) continue;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended in this moment.
    }
  }
}

/** @param started processes by id, with when they started. */
async function end(started) {
  signalAll(started, 'SIGTERM');
  const deadline = Date.now() + patienceMs;
  while (!allGone(started) && Date.now() < deadline) await delay(25);
  signalAll(started, 'SIGKILL');
}

/** Processes whose working directory is in one of these: database servers, which outlive whoever began them. */
async function workingIn(folders) {
  const found = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (folders.some((folder) => cwd.startsWith(`${folder}/`))) found.push(Number(pid));
  }
  return found;
}

/** @param own processes that began before the tests. @returns those of the tests, for `endLeftOver`. */
export async function startedByTests(own) {
  const ofRunner = new Set(await withDescendants(own));
  const all = await withDescendants([process.pid]);
  return startsOf(all.filter((pid) => pid !== process.pid && !ofRunner.has(pid)));
}

/** Ends processes of tests that were stopped, and servers in the folders of tests that are gone. */
export async function endLeftOver(started) {
  await end(started);
  await end(startsOf(await workingIn(await abandonedDirectories())));
}
