/** `crypto` with the functions that browsers provide only on pages from https or localhost. */
export function secureCrypto(): typeof crypto {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle) return crypto;
  throw new Error(
    'Browsers generate keys and hashes only on pages from https or localhost; on other pages, pass "key" and "hash".',
  );
}

/**
 * SHA-256 of a file in hexadecimal digits. WebCrypto hashes only whole buffers, so the file is briefly
 * in memory: 50 MB at most, unless the operator of the server allows more.
 */
export async function sha256(file: Blob): Promise<string> {
  const digest = await secureCrypto().subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
