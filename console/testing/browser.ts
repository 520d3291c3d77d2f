// What modules of the console ask of a browser while they are loaded, for tests in Node.js, which import
// this first.
class Kept {
  readonly #items = new Map<string, string>();
  getItem = (key: string): string | null => this.#items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.#items.set(key, value);
  removeItem = (key: string): void => void this.#items.delete(key);
}

const target = new EventTarget();
const given = {
  location: new URL('http://127.0.0.1/console/'),
  history: { state: null },
  navigator: { languages: ['en-US'], onLine: true },
  localStorage: new Kept(),
  sessionStorage: new Kept(),
  isSecureContext: true,
  innerWidth: 1_280,
  addEventListener: target.addEventListener.bind(target),
  dispatchEvent: target.dispatchEvent.bind(target),
};

// Newer versions of Node.js have some of them, which cannot be assigned.
for (const [name, value] of Object.entries(given)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
