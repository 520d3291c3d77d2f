import { createSecretKey, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { Keyring } from '../../../src/http/auth/keyring.js';
import { readMasterKey } from '../../../src/http/auth/secrets.js';
import { serviceDataSource } from '../../../src/ops/service-database.js';
import { loadSettings } from '../../../src/base/config/load.js';
import { openDatabase } from '../../../src/database/postgres/provision.js';
import type { Holder } from '../../../src/http/auth/claims.js';
import { signedToken } from '../../../testkit/signed-token.js';
import type { Appliance } from '../../../testkit/appliance.js';

/** Expired tokens by holder, signed with the service's key. */
export async function expiredTokens(
  { home, databaseUrl }: Appliance,
  holders: readonly Holder[],
): Promise<string[]> {
  const { values: config } = await loadSettings({ flags: {}, env: {}, home });
  const database = await openDatabase({ home, url: databaseUrl, report: () => undefined });
  const db = await serviceDataSource(database.url, config).initialize();
  try {
    const keyring = new Keyring(db, await readMasterKey(home));
    return await Promise.all(holders.map((holder) => signedToken(keyring, holder, -60)));
  } finally {
    await db.destroy();
    await database.close();
  }
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens with the same claims, unsigned or signed with another key, by how they were forged. */
export function forgeries(token: string): Record<string, string> {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const decoded = jwt.decode(token, { complete: true });
  const payload = decoded?.payload as Record<string, unknown>;
  const other = createSecretKey(randomBytes(32));
  const keyid = String(decoded?.header.kid);
  const unsigned = (alg: string) => `${part({ ...decoded?.header, alg })}.${claims}`;
  const sign = (kid: string) => jwt.sign(payload, other, { algorithm: 'HS256', keyid: kid });
  const changed = part({ ...payload, exp: 4_000_000_000 });
  return {
    'no token at all': 'x',
    'a token without a signature': `${head}.${claims}.`,
    'a token in two parts': `${head}.${claims}`,
    'a signature changed in one place': `${head}.${claims}.${flipped(signature)}`,
    'claims changed': `${head}.${changed}.${signature}`,
    'algorithm none': `${unsigned('none')}.`,
    'algorithm None, signed': `${unsigned('None')}.${signature}`,
    'algorithm RS256': `${unsigned('RS256')}.${signature}`,
    'another key under this name': sign(keyid),
    'another key under no name': sign('x'),
    'another key under a path': sign('../../../../dev/null'),
    'a key name of the prototype': sign('__proto__'),
    '10 KB': 'x'.repeat(10_000),
    'prefixes without end': 'eyJ'.repeat(3_000),
    dots: '.'.repeat(10_000),
  };
}

/** The signature with its first character changed: the last bits of base64url may be unused. */
const flipped = (signature: string): string =>
  (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
