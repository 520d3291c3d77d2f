import { AssertionError } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { Client } from '../../testkit/client.js';
import { Member, Tenant } from '../../testkit/world.js';

/** More than this in a row, and it is not the network. */
const mostAttempts = 100;

/** A user at another address of the service. */
export const userAt = (address: string, { tenant, record }: Member): Member =>
  new Member(new Tenant(new Client(address), tenant.record), record);

/** @returns undefined if the connection broke before the answer was there. */
export async function attempt<R>(request: () => Promise<Answer<R>>): Promise<R | undefined> {
  try {
    return done(await request());
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    await setImmediate();
    return undefined;
  }
}

/** Repeats a request until it is answered. */
export async function persist<R>(request: () => Promise<Answer<R>>): Promise<R> {
  for (let attempts = 0; attempts < mostAttempts; attempts += 1) {
    const result = await attempt(request);
    if (result !== undefined) return result;
  }
  throw new Error(`no answer to any of ${mostAttempts} requests`);
}
