/**
 * A value for `Idempotency-Key`: whatever is sent again with it happens once. As `crypto.randomUUID`,
 * which browsers have on secure pages alone.
 */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
