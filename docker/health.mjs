// The container's health check: asks the service of this home whether it lives. Whether it is ready to
// take requests, /readyz tells a load balancer. It does not run `imgstore status`, since starting a
// command every few seconds would cost more than serving.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';

const seconds = 5;

const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};

try {
  // The service writes its URL to this file once it listens.
  const lock = readFileSync(`${process.env.IMGSTORE_HOME}/run/serve.lock`, 'utf8');
  const { address: url } = JSON.parse(lock);
  if (!url) fail('The service is still starting.');
  get(`${url}/livez`, { timeout: seconds * 1000 }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += chunk));
    answer.on('end', () => (answer.statusCode === 200 ? process.exit(0) : fail(text)));
  })
    .on('timeout', () => fail(`No response within ${seconds} s.`))
    .on('error', (error) => fail(error.message));
} catch (error) {
  fail(`No service serves this home: ${error.message}`);
}
