import { signal } from '@preact/signals';
import { Problem } from './problem';

// Next to the folder of this script: the page of links has the same files as the console, elsewhere.
const script = import.meta.url;

/** What the server publishes about itself to everyone (src/server/console.ts). */
export const settingsUrl = new URL('../settings.json', script).href;

/** Whether the last check did not reach the server. */
export const lost = signal(false);

/** Milliseconds before the server is checked; they double after each failed check. */
const minMs = 500;
const maxMs = 15_000;
/** A failure so soon after a successful check has another cause, so checks back off further. */
const calmMs = 10_000;
/** Milliseconds after which a check times out. */
const patienceMs = 10_000;

const waiting = new Set<() => void>();

/** Calls `act` whenever the server is reachable again. @returns a function that ends this. */
export function onReturn(act: () => void): () => void {
  waiting.add(act);
  return () => void waiting.delete(act);
}

let checking = false;
let calls = 0;
let repeats = 0;
let foundAt = -calmMs;
let hurry: (() => void) | undefined;

/** To be called when a request was not answered: checks the server until it answers. */
export function seek(): void {
  calls += 1;
  if (!checking) void check();
}

async function check(): Promise<void> {
  checking = true;
  repeats = performance.now() - foundAt < calmMs ? repeats + 1 : 0;
  let ms = Math.min(maxMs, minMs * 2 ** repeats);
  for (let found = false, before = 0; !found || before !== calls;) {
    before = calls;
    await pause(ms);
    found = await answers();
    lost.value = !found;
    if (!found) ms = Math.min(maxMs, ms * 2);
  }
  foundAt = performance.now();
  checking = false;
  for (const act of [...waiting]) act();
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    hurry = resolve;
    setTimeout(resolve, ms);
  });

/** Requests the smallest file of the console, which a proxy in front of the server has to pass on. */
const answers = (): Promise<boolean> =>
  navigator.onLine
    ? fetch(settingsUrl, {
        cache: 'no-store',
        signal: AbortSignal.timeout(patienceMs),
      }).then(
        ({ ok }) => ok,
        () => false,
      )
    : Promise.resolve(false);

addEventListener('offline', seek);
addEventListener('online', () => hurry?.());

/** The problem of a request that was not answered. Starts checking the server. */
export function unanswered(): Problem {
  seek();
  return navigator.onLine
    ? new Problem('unreachable', 'The server does not answer.')
    : new Problem('offline', 'This device is offline.');
}
