import { AssertionError } from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { type Answer, Client } from '../../testkit/client.js';
import { done } from '../../testkit/expect.js';
import { Member, Tenant } from '../../testkit/world.js';

/** More failures in a row are not caused by the network. */
const maxAttempts = 100;

/** The same user at another URL of the service. */
export const userAt = (baseUrl: string, { tenant, record }: Member): Member =>
  new Member(new Tenant(new Client(baseUrl), tenant.record), record);

/** @returns undefined if the connection broke before the response. */
export async function attempt<R>(request: () => Promise<Answer<R>>): Promise<R | undefined> {
  try {
    return done(await request());
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    await setImmediate();
    return undefined;
  }
}

/** Retries a request until it gets a response. */
export async function persist<R>(request: () => Promise<Answer<R>>): Promise<R> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    const result = await attempt(request);
    if (result !== undefined) return result;
  }
  throw new Error(`no response to any of ${maxAttempts} requests`);
}
