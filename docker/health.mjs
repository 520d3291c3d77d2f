// The container's health check: asks the service that serves this home whether it is ready. Only
// that: starting the command `imgstore status` every few seconds would cost more than serving.
import { readFileSync } from 'node:fs';
import { get } from 'node:http';

const seconds = 5;

const fail = (reason) => {
  console.error(reason);
  process.exit(1);
};

try {
  // The service writes its address there once it listens, whatever its port.
  const lock = readFileSync(`${process.env.IMGSTORE_HOME}/run/serve.lock`, 'utf8');
  const { address } = JSON.parse(lock);
  if (!address) fail('The service is still starting.');
  get(`${address}/readyz`, { timeout: seconds * 1000 }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => (text += chunk));
    answer.on('end', () => (answer.statusCode === 200 ? process.exit(0) : fail(text)));
  })
    .on('timeout', () => fail(`There is no answer within ${seconds} s.`))
    .on('error', (error) => fail(error.message));
} catch (error) {
  fail(`No service serves this home: ${error.message}`);
}
