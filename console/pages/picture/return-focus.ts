/**
 * Gives the focus back where the viewer was opened, once that page is there: to the list, which knows
 * the image, or to the link to it. A reader who presses anything before keeps their own.
 */
export function returnFocus(id: string): void {
  const stop = new AbortController();
  const focus = (): void => {
    const link = document.querySelector<HTMLElement>(`main a[href*="/images/${CSS.escape(id)}"]`);
    const origin = document.querySelector<HTMLElement>('main [role=grid]') ?? link;
    if (!origin) return;
    stop.abort();
    origin.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(focus);
  stop.signal.addEventListener('abort', () => observer.disconnect());
  for (const event of ['keydown', 'pointerdown']) {
    addEventListener(event, () => stop.abort(), { capture: true, signal: stop.signal });
  }
  observer.observe(document.body, { childList: true, subtree: true });
}
