/** A request as it is sent over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, already escaped. */
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array | undefined;
}

/** The bytes of a request. Adds the usual headers that are not given, `Content-Length` if it has a body. */
export function bytesOf({ method, path, headers = [], body }: WireRequest): Buffer {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(given.has('host') ? [] : ['Host: 127.0.0.1']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(given.has('connection') ? [] : ['Connection: close']),
    ...(body && !given.has('transfer-encoding') && !given.has('content-length')
      ? [`Content-Length: ${body.length}`]
      : []),
  ];
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
}

export const authorization = ([scheme, token]: readonly [string, string]) =>
  ['Authorization', `${scheme} ${token}`] as const;
