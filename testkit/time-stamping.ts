import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Scope } from './scope.js';
import { temporaryDirectory } from './temporary.js';

const openssl = promisify(execFile);

const config = (folder: string): string => `
[tsa]
default_tsa = own
[own]
dir = ${folder}
serial = $dir/serial
signer_cert = $dir/tsa.pem
certs = $dir/ca.pem
signer_key = $dir/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30'.split(' ');

/** What a service does with a query; one that answers nothing keeps the client waiting. */
type Answering = (query: Buffer, response: ServerResponse) => unknown;

/** A stamping service (RFC 3161) on loopback, which is OpenSSL, with a CA of its own. */
export class TimeStamping {
  readonly asked: Buffer[] = [];
  answering: Answering = async (query, response) => response.end(await this.reply(query));

  readonly #server = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const query = await buffer(request);
      this.asked.push(query);
      await this.answering(query, response);
    };
    take().catch(() => response.destroy());
  });

  private constructor(private readonly folder: string) {}

  static async start(scope: Scope): Promise<TimeStamping> {
    const service = new TimeStamping(await temporaryDirectory('time-stamping'));
    await service.#make();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    scope.after(async () => {
      service.#server.close().closeAllConnections();
      await rm(service.folder, { recursive: true, force: true });
    });
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/tsr`;
  }

  /** The file of its certificates. */
  get ca(): string {
    return join(this.folder, 'all.pem');
  }

  async #make(): Promise<void> {
    const at = (name: string): string => join(this.folder, name);
    const make = (name: string, ...words: string[]) => {
      const files = ['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)];
      const subject = ['-subj', `/CN=${name} of a test`];
      return openssl('openssl', ['req', '-x509', ...newKey, ...files, ...subject, ...words]);
    };
    await make('ca');
    const isFor = ['basicConstraints=CA:FALSE', 'extendedKeyUsage=critical,timeStamping'];
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')];
    await make('tsa', ...by, ...isFor.flatMap((extension) => ['-addext', extension]));
    await writeFile(at('all.pem'), await readFile(at('ca.pem')));
    await writeFile(at('all.pem'), await readFile(at('tsa.pem')), { flag: 'a' });
    await writeFile(at('config'), config(this.folder));
    await writeFile(at('serial'), '01\n');
  }

  /** What OpenSSL replies to a query. */
  async reply(query: Buffer): Promise<Buffer> {
    const [asked, answer] = [join(this.folder, 'query'), join(this.folder, 'answer')];
    await writeFile(asked, query);
    const files = ['-queryfile', asked, '-out', answer, '-config', join(this.folder, 'config')];
    await openssl('openssl', ['ts', '-reply', ...files, '-section', 'own']);
    return readFile(answer);
  }
}
