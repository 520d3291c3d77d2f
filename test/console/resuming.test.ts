import { after, describe } from 'node:test';
import { needsChromium, openChromium } from '../../testkit/chromium.js';
import { lastFirst } from '../../testkit/scope.js';
import { testService } from '../../testkit/service.js';
import { testResuming } from './resuming.js';

// Apart from the other tests of the console: they take minutes by themselves.
describe('uploads of the console that resume', needsChromium, async () => {
  if (needsChromium.skip !== undefined) return;
  const scope = lastFirst({ after });
  const service = await testService(scope);
  const browser = await openChromium(scope);
  testResuming({ service, browser, url: `${service.service.url}/console` });
});
