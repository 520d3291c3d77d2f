import { render } from 'preact';
import { App } from './App';
import { keepFocus } from './core/keep-focus';
import { followLinks, hrefOf } from './core/router';
import { resume } from './core/session';
import { keepStaying } from './core/staying';
import { followTheme } from './core/theme';
import { followSignInLinks } from './sign-in-link';
import './styles/tokens.css';
import './styles/base.css';
import './styles/components.css';
import './styles/cards.css';
import './styles/shell.css';

followTheme();
followLinks();
keepFocus();
resume();
followSignInLinks();
keepStaying();
const place = document.getElementById('console');
if (place) render(<App />, place);
void keepFrame().catch(() => undefined);

/**
 * Has the frame of the console kept for times without a connection (public/offline.js), with what did not pass
 * through the service worker: what was loaded before it had started, and what was on its way then. Browsers do so
 * on secure pages alone.
 */
async function keepFrame(): Promise<void> {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!serviceWorker || serviceWorker.controller) return;
  const keeps = new Promise((resolve) =>
    serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
  );
  await serviceWorker.register(hrefOf('/offline.js'));
  await keeps;
  const passed = new Set<string>();
  const pass = (name: string): void => {
    if (passed.has(name)) return;
    passed.add(name);
    void fetch(name).catch(() => undefined);
  };
  pass(hrefOf('/'));
  new PerformanceObserver((loaded) => {
    for (const { name } of loaded.getEntries())
      if (/\/assets\/|\/settings\.json$/.test(name)) pass(name);
  }).observe({ type: 'resource', buffered: true });
}
