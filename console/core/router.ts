import { signal } from '@preact/signals';

const base = '/console';

const within = (path: string): string => path.slice(base.length).replace(/\/+$/, '') || '/';

/** The path of the current page in the console, such as `/platforms`. */
export const path = signal(within(location.pathname));

/** The query of the URL, such as `?day=20250131`. */
export const query = signal(location.search);

/** The position of the page in the history, and what is done instead of leaving it. */
let at = depth();
let held: (() => void) | undefined;

function follow(): void {
  at = depth();
  path.value = within(location.pathname);
  query.value = location.search;
}

addEventListener('popstate', () => {
  const passed = at - depth();
  if (!held || passed === 0) return follow();
  history.go(passed);
  held();
  return undefined;
});

/** Stays on the page when the reader goes back or forward. @returns a function that ends it. */
export function holdPage(instead: () => void): () => void {
  held = instead;
  return () => void (held = undefined);
}

/** The URL of a path in the console. */
export const hrefOf = (to: string): string => `${base}${to}`;

/** How many pages of the console are before this one in the history of the tab. */
function depth(): number {
  return (history.state as { readonly depth?: number } | null)?.depth ?? 0;
}

/** @param replace replaces the entry in the history, for what is not a page of its own. */
export function go(
  to: string,
  { replace = hrefOf(to) === location.pathname + location.search } = {},
): void {
  if (replace) history.replaceState({ depth: depth() }, '', hrefOf(to));
  else history.pushState({ depth: depth() + 1 }, '', hrefOf(to));
  follow();
  if (!replace) scrollTo(0, 0);
}

/** What the last step was taken with, such as a field of a filter that is typed into. */
let control: Element | null = null;
addEventListener('popstate', () => (control = null));
addEventListener('toggle', () => (control = null), { capture: true });

/**
 * Goes to another view of the page. What is chosen in one panel, or in one field, is one step back in
 * the history, however many views it passes.
 */
export function narrow(to: string): void {
  const panel = document.querySelector('.popover-panel:popover-open');
  const now = panel ?? document.activeElement;
  const isSame = now !== null && now === control && now !== document.body;
  if (isSame) go(to, { replace: true });
  else go(to);
  control = now;
}

/** Leaves a page for the one before it; if the tab began with this page, for `otherwise`. */
export function goBack(otherwise: string): void {
  if (depth() > 0) history.back();
  else go(otherwise, { replace: true });
}

/** Follows links into the console without reloading the page. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!plain || !link || link.target || link.download || event.defaultPrevented) return;
    const { origin, pathname, search } = new URL(link.href);
    if (origin !== location.origin || !pathname.startsWith(`${base}/`)) return;
    event.preventDefault();
    go(`${within(pathname)}${search}`);
  });
}

export type Params = Readonly<Record<string, string>>;

export interface PageProps {
  /** The values of the `:names` of the page's path. */
  readonly params: Params;
}

/** Undefined for what is no percent-encoded UTF-8, such as `%E0`. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The values of the `:names` of a pattern in a path; undefined if the path does not match. */
export function match(pattern: string, given: string): Params | undefined {
  const wanted = pattern.split('/');
  const parts = given.split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, word] of wanted.entries()) {
    const part = decoded(parts[index] ?? '');
    if (part === undefined) return undefined;
    if (word.startsWith(':')) params[word.slice(1)] = part;
    else if (word !== part) return undefined;
  }
  return params;
}
