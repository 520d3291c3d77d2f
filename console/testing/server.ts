import './browser';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';

/** A request as it has arrived; its body ends early if the connection breaks. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly answer: ServerResponse;
}

/** Serves what the page came from, until all tests of the file have ended. */
export async function serving(handle: (arrived: Arrived) => void | Promise<void>): Promise<void> {
  const server = createServer((request, answer) => {
    const { method = '', url: path = '', headers } = request;
    void buffer(request).then((body) => handle({ method, path, headers, body, answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  location.port = String((server.address() as AddressInfo).port);
}

export function json(answer: ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Sends by `fetch`, and tells the progress when all has been sent. */
class Request {
  readonly upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  responseText = '';
  readonly #headers = new Headers();
  readonly #stop = new AbortController();
  #method = '';
  #url = '';
  #answered = new Headers();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  getAllResponseHeaders(): string {
    return [...this.#answered].map(([name, value]) => `${name}: ${value}`).join('\r\n');
  }

  abort(): void {
    this.#stop.abort();
  }

  send(body: Blob | null): void {
    const { signal } = this.#stop;
    const init = { method: this.#method, headers: this.#headers, body, signal };
    fetch(new URL(this.#url, location.href), init)
      .then(async (answer) => {
        const total = body?.size ?? 0;
        if (body) this.upload.onprogress?.({ loaded: total, total });
        this.responseText = await answer.text();
        this.status = answer.status;
        this.#answered = answer.headers;
        this.onload?.();
      })
      .catch(() => (signal.aborted ? this.onabort?.() : this.onerror?.()));
  }
}

Object.assign(globalThis, { XMLHttpRequest: Request });
