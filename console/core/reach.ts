import { signal } from '@preact/signals';
import { Problem } from './problem';

/** Whether the server was looked for and not found. */
export const lost = signal(false);

/** Milliseconds before the server is looked for, twice as many after each time in vain. */
const leastMs = 500;
const mostMs = 15_000;
/** What fails so soon after the server was found does not fail for lack of it: it is asked ever less. */
const calmMs = 10_000;
/** Milliseconds after which a server that says nothing is none. */
const patienceMs = 10_000;

const waiting = new Set<() => void>();

/** Has something done whenever the server is found again. @returns what ends that. */
export function onReturn(act: () => void): () => void {
  waiting.add(act);
  return () => void waiting.delete(act);
}

let looking = false;
let calls = 0;
let repeats = 0;
let foundAt = -calmMs;
let hurry: (() => void) | undefined;

/** A request was not answered: looks for the server until it is there. */
export function seek(): void {
  calls += 1;
  if (!looking) void look();
}

async function look(): Promise<void> {
  looking = true;
  repeats = performance.now() - foundAt < calmMs ? repeats + 1 : 0;
  let ms = Math.min(mostMs, leastMs * 2 ** repeats);
  for (let found = false, before = 0; !found || before !== calls;) {
    before = calls;
    await pause(ms);
    found = await answers();
    lost.value = !found;
    if (!found) ms = Math.min(mostMs, ms * 2);
  }
  foundAt = performance.now();
  looking = false;
  for (const act of [...waiting]) act();
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    hurry = resolve;
    setTimeout(resolve, ms);
  });

/** The smallest file of the console: a proxy in front of the server has to let it pass. */
const answers = (): Promise<boolean> =>
  navigator.onLine
    ? fetch('/console/settings.json', {
        cache: 'no-store',
        signal: AbortSignal.timeout(patienceMs),
      }).then(
        ({ ok }) => ok,
        () => false,
      )
    : Promise.resolve(false);

addEventListener('offline', seek);
addEventListener('online', () => hurry?.());

/** What a request that was not answered says. The server is looked for from now on. */
export function unanswered(): Problem {
  seek();
  return navigator.onLine
    ? new Problem('unreachable', 'The server does not answer.')
    : new Problem('offline', 'This device is offline.');
}
