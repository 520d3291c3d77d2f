/** Slash-separated segments of up to 255 characters; none is empty, `.` or `..`. */
const keyShape = /^(?:(?!\.\.?(?:\/|$))[A-Za-z0-9._-]{1,255}(?:\/(?!$)|$))+$/;

/** The limit of S3, in bytes; keys are ASCII. */
const maxKeyLength = 1024;

/** True when an object may be stored under `key`. */
export function isKey(key: string): boolean {
  return key.length <= maxKeyLength && keyShape.test(key);
}

/** @throws TypeError: keys are made by imgstore itself, so a malformed one is a bug. */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new TypeError(`not an object key: ${JSON.stringify(key)}`);
}

/** Accepts the beginning of a key: nothing, a key, or a key and a slash. @throws TypeError */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}
