/** Accepted values of `sslmode` in a database URL, with the meaning of libpq, from the weakest. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/**
 * The parameters of a database URL; a URL of a Unix socket has no host, which the class URL does
 * not accept.
 */
const parametersOf = (url: string): [head: string, parameters: URLSearchParams] => {
  const [head = '', query] = url.split(/\?(.*)/s, 2);
  return [head, new URLSearchParams(query ?? '')];
};

/**
 * A mistake in the TLS parameters of a database URL; undefined if there is none. `allow` and
 * `prefer` are rejected: without TLS on the server, they would continue in plain text.
 */
export function tlsMistake(url: string): string | undefined {
  const [, parameters] = parametersOf(url);
  const mode = parameters.get('sslmode');
  if (mode !== null && !sslModes.some((known) => known === mode)) {
    return `sslmode=${mode} must be one of ${sslModes.join(', ')}`;
  }
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    return 'sslmode=verify-ca needs sslrootcert=FILE, the certificate of the authority';
  }
  if (parameters.has('sslpassword')) {
    return 'sslpassword is not supported: decrypt the key once (openssl pkey -in KEY -out FILE), in a file that this user alone can read, and specify it as sslkey=FILE';
  }
  return undefined;
}

/**
 * A database URL whose `sslmode` pg interprets as libpq does, and as PostgreSQL documents it; by
 * default, pg treats every mode as `verify-full`, and warns that this will change.
 * `sslrootcert=system` stands for the authorities that Node.js trusts, which are also the default.
 */
export function withLibpqModes(url: string): string {
  const [head, parameters] = parametersOf(url);
  if (!parameters.has('sslmode')) return url;
  parameters.set('uselibpqcompat', 'true');
  if (parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert');
  return `${head}?${parameters.toString()}`;
}

interface TlsProblem {
  readonly what: string;
  readonly remedy: string;
}

const untrusted: TlsProblem = {
  what: 'has a certificate of an authority that this machine does not trust',
  remedy: 'add the certificate of that authority to the URL: sslmode=verify-full&sslrootcert=FILE',
};

/** By the code of the failure. */
const problems: ReadonlyMap<string, TlsProblem> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    {
      what: 'has a certificate for another host name',
      remedy:
        'use the name of the certificate as the host in the URL, or sslmode=verify-ca with sslrootcert=FILE, which accepts any name',
    },
  ],
  [
    'CERT_HAS_EXPIRED',
    {
      what: 'has a certificate that has expired',
      remedy: "renew the server's certificate, or correct the clock of this machine",
    },
  ],
  [
    'CERT_NOT_YET_VALID',
    {
      what: 'has a certificate that is not valid yet',
      remedy: 'correct the clock of this machine or of the server',
    },
  ],
]);

const messages: readonly (readonly [RegExp, TlsProblem])[] = [
  [
    /server does not support SSL/i,
    {
      what: 'does not offer TLS',
      remedy:
        'set ssl = on in its postgresql.conf, or sslmode=disable in the URL, on a network that nobody else can read',
    },
  ],
  [
    /no pg_hba\.conf entry.*no encryption/i,
    {
      what: 'accepts encrypted connections only',
      remedy: 'add sslmode=verify-full (with sslrootcert=FILE) or sslmode=require to the URL',
    },
  ],
];

/** What went wrong with TLS, and how to fix it; undefined for any other failure. */
export function explainTls(error: unknown): TlsProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  return problems.get(code) ?? messages.find(([pattern]) => pattern.test(error.message))?.[1];
}
