/**
 * A value for `Idempotency-Key`: a request that is repeated with it takes effect once. Not from
 * `crypto.randomUUID`, which the typed client uses: browsers offer that only on https and on this
 * machine, and the console also works over plain http, in a network without certificates.
 * `getRandomValues` is available everywhere.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
