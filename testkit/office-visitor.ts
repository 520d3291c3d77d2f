import assert from 'node:assert/strict';

/** A browser that follows redirects, with the cookies that it was given. */
export class OfficeVisitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** @param publicUrl what browsers take the service for. @param serviceUrl where it is. */
  constructor(
    private readonly publicUrl: string,
    private readonly serviceUrl: string,
  ) {}

  /** Cookies as they were set by the service. */
  readonly given: string[] = [];

  async get(url: string): Promise<Response> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const isOurs = url.startsWith(this.publicUrl);
    const at = isOurs ? this.serviceUrl + url.slice(this.publicUrl.length) : url;
    const response = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} });
    for (const set of response.headers.getSetCookie()) {
      if (isOurs) this.given.push(set);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Follows redirects to the one that leads to a URL with this beginning, and returns it. */
  async follow(from: string, to: string): Promise<string> {
    let url = from;
    for (let steps = 0; !url.startsWith(to); steps += 1) {
      assert.ok(steps < 10, url);
      const response = await this.get(url);
      const location = response.headers.get('location');
      assert.ok(location, `${response.status} at ${url}: ${await response.text()}`);
      url = new URL(location, url).href;
    }
    return url;
  }
}
