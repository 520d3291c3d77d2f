/**
 * A value for `Idempotency-Key`: whatever is sent again with it happens once. Not `crypto.randomUUID`,
 * which the typed client takes: browsers have that on https and on this machine alone, and the console
 * also works over plain http, in a network without certificates. `getRandomValues` is everywhere.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
