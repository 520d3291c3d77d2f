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
 * Has the frame of the console kept for times without a connection (public/offline.js), with what was loaded
 * before anybody kept it. Browsers do so on secure pages alone.
 */
async function keepFrame(): Promise<void> {
  const { serviceWorker } = navigator as Partial<Navigator>;
  if (!serviceWorker || serviceWorker.controller) return;
  const keeps = new Promise((resolve) =>
    serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
  );
  await serviceWorker.register(hrefOf('/offline.js'));
  await keeps;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const files = loaded.filter((name) => /\/assets\/|\/settings\.json$/.test(name));
  for (const name of [hrefOf('/'), ...files]) void fetch(name).catch(() => undefined);
}
