import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { newHome, type Failure } from '../../testkit/command.js';
import { hosted } from '../../testkit/hosted-command.js';

interface Printed {
  readonly server: string;
  readonly upstreams: string[];
  readonly remarks: string[];
  readonly config: string;
}

const home = await newHome({ after });

const print = (...args: string[]) =>
  hosted(['proxy-config', ...args, '--home', home.dir, '--json']);

async function printed(...args: string[]): Promise<Printed> {
  const { code, stdout, json } = await print(...args);
  assert.equal(code, 0, stdout);
  return json<Printed>();
}

describe('imgstore proxy-config', { concurrency: 2 }, () => {
  test('needs no home, uses host and port, and says what is missing in trust_proxy', async () => {
    const { upstreams, remarks, config } = await printed('nginx');
    assert.deepEqual(upstreams, ['127.0.0.1:8080']);
    assert.match(remarks.join(), /"trust_proxy: 1" in .*config\.yaml/);
    assert.ok(config.includes(`# NOTE: ${remarks[0]}`));
    assert.match(config, /^ {4}listen 80;$/m);
  });

  test('has the nodes, the body size limit, and TLS for an https URL', async () => {
    const { remarks, config } = await printed(
      'nginx',
      '--public-url',
      'https://images.example.com',
      '--trust-proxy',
      '1',
      '--upstream',
      '10.0.0.11:8080',
      '--upstream',
      '[fd00::12]:8080',
      '--limits-max-upload-mb',
      '100',
    );
    assert.deepEqual(remarks, []);
    assert.match(config, /server 10\.0\.0\.11:8080 .*\n {4}server \[fd00::12\]:8080 /);
    assert.match(config, /listen 443 ssl;\n {4}server_name images\.example\.com;/);
    assert.match(config, /return 308 https:\/\/images\.example\.com\$request_uri;/);
    assert.match(config, /client_max_body_size 106954752;/);
    assert.match(config, /X-Forwarded-For \$remote_addr;/);
    assert.match(config, /X-Forwarded-Prefix "";/);
    assert.match(config, /keepalive_timeout 64s;/);
  });

  test('has the location of the store with files.accel, and says who must be able to read it', async () => {
    const { remarks, config } = await printed(
      'nginx',
      '--trust-proxy',
      '1',
      '--files-accel',
      '/_files/',
    );
    assert.match(remarks.join(), /"user imgstore;"/);
    assert.match(config, /location \/_files\/ \{\s+internal;\s+alias ".*\/store\/";/);
    assert.match(config, /proxy_set_header X-Sendfile-Type X-Accel-Redirect;/);
    const { config: without } = await printed('nginx', '--trust-proxy', '1');
    assert.doesNotMatch(without, /internal|alias|X-Accel/);
    assert.match(without, /proxy_set_header X-Sendfile-Type "";/);
    assert.equal((await print('nginx', '--files-accel', '/api/')).code, 2);
  });

  test('passes on the headers of outer proxies if there are several', async () => {
    const { config } = await printed('nginx', '--trust-proxy', '2');
    assert.match(config, /X-Forwarded-For \$proxy_add_x_forwarded_for;/);
    assert.match(config, /X-Forwarded-Proto \$http_x_forwarded_proto;/);
  });

  test('prints a Caddyfile as well', async () => {
    const { config } = await printed(
      'caddy',
      '--public-url',
      'https://images.example.com',
      '--upstream',
      '10.0.0.11:8080',
    );
    assert.match(config, /^https:\/\/images\.example\.com \{$/m);
    assert.match(config, /reverse_proxy 10\.0\.0\.11:8080 \{/);
  });

  test('rejects unsupported settings, and says what to do instead', async () => {
    const wrong = [
      { args: ['nginx', '--upstream', 'http://a:1'], code: 2, remedy: /--upstream 10/ },
      { args: ['nginx', '--port', '0'], code: 2, remedy: /--upstream 127/ },
      {
        args: ['nginx', '--public-url', 'https://a.example/x'],
        code: 78,
        remedy: /separate host name/,
      },
      { args: ['apache'], code: 2, remedy: /--help/ },
    ];
    for (const { args, code, remedy } of wrong) {
      const ran = await print(...args);
      assert.equal(ran.code, code, args.join(' '));
      assert.match(ran.json<Failure>().error.remedy ?? '', remedy);
    }
  });
});
