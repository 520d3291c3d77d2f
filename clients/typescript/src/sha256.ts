/** What browsers have only on pages that come by https or from localhost. */
export function secureCrypto(): typeof crypto {
  const { subtle } = crypto as Partial<typeof crypto>;
  if (subtle) return crypto;
  throw new Error(
    'A browser makes keys and hashes only on pages that come by https or from localhost; give "key" and "hash" on others.',
  );
}

/**
 * SHA-256 of a file in hexadecimal digits. WebCrypto takes files as a whole, so for a moment this one
 * is in memory: 50 MB at most, unless the operator of the server allows more.
 */
export async function sha256(file: Blob): Promise<string> {
  const digest = await secureCrypto().subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
