// npm run walk:developer: records the first half hour of a platform developer in
// docs/walks/developer.txt. Needs curl, jq, and npm.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imgstore, newPrivateHome } from '../../dist/testkit/command.js';
import { Started } from '../../dist/testkit/scope.js';
import { serve } from '../../dist/testkit/serving.js';
import { runIn } from '../clients/project.mjs';
import { record } from './terminal.mjs';

const port = 8080;
const images = '$IMGSTORE/api/v1/users/$USER_ID/images';
const asUser = '-H "Authorization: User $TOKEN"';

const lines = [
  '# 1. Is it there, and what can it do?',
  'curl -s $IMGSTORE/readyz; echo',
  "curl -s $IMGSTORE/openapi.json | jq -c '.openapi, .info.license, (.paths | length)'",
  '# 2. A platform, and a user of it',
  'platform=$(curl -s -H "Authorization: Admin $ADMIN_TOKEN" -F platform=Survey $IMGSTORE/api/v1/platforms)',
  "jq -c '.message, (.result | keys)' <<< $platform",
  'id=$(jq -r .result.id <<< $platform) token=$(jq -r .result.access_token <<< $platform)',
  'user=$(curl -s -H "Authorization: Platform $token" -F platform_user_id=kim $IMGSTORE/api/v1/platforms/$id/users)',
  'export USER_ID=$(jq -r .result.user_id <<< $user) TOKEN=$(jq -r .result.access_token <<< $user)',
  '# 3. Mistakes that everybody makes once',
  `curl -s -F photo=@photo.jpg ${asUser} ${images} | jq .error`,
  `curl -s -F image_data=photo.jpg ${asUser} ${images} | jq .error`,
  `curl -s -H "Authorization: Bearer $token" ${images} | jq .error`,
  `curl -s ${asUser} -H 'Content-Type: application/json' -d '{"title": "a" "b"}' $IMGSTORE/api/v1/users/$USER_ID/folders | jq .error`,
  '# 4. The first upload; Bearer does as well',
  `curl -s -H "Authorization: Bearer $TOKEN" -F image_data=@photo.jpg -F latitude=37.5662952 -F longitude=126.9779451 ${images} | jq '.result | {id, lat, lng, resolution, filesize_mb, path_url}'`,
  `curl -s -o /dev/null -w '%{size_download} bytes\\n' ${asUser} ${images}`,
  `curl -s -o /dev/null -w '%{size_download} bytes, compressed\\n' --compressed ${asUser} ${images}`,
  '# 5. A project with the typed client, from nothing',
  'mkdir survey && cd survey',
  'npm init -y > /dev/null && npm pkg set type=module',
  'npm install --silent ../imgstore-client-*.tgz && npm ls',
  'cp node_modules/@imgstore/client/examples/upload.mjs .',
  'IMGSTORE_URL=$IMGSTORE IMGSTORE_USER=$USER_ID IMGSTORE_TOKEN=$TOKEN node upload.mjs ../photo.jpg',
  '# 6. Or a client of my own, in TypeScript',
  'npm install --silent --save-dev openapi-typescript@7.13.0 typescript@5.9.3',
  'npx openapi-typescript $IMGSTORE/openapi.json -o api.ts',
  'npx tsc --noEmit --strict api.ts && echo compiles',
];

const scope = new Started();
try {
  const home = await newPrivateHome(scope);
  await imgstore(['init', '--yes', '--home', home.dir]);
  const serving = await serve(scope, home, ['--port', String(port)], 'up');
  const dir = await mkdtemp(join(tmpdir(), 'imgstore-walk-'));
  scope.after(() => rm(dir, { recursive: true, force: true }));
  await cp('assets/sample.jpg', join(dir, 'photo.jpg'));
  const pack = ['pack', join(process.cwd(), 'clients/typescript'), '--silent'];
  await runIn(process.cwd(), 'npm', [...pack, '--pack-destination', dir]);
  const { address: baseUrl, admin } = serving.greeting;
  const text = await record(dir, lines, {
    IMGSTORE: baseUrl,
    ADMIN_TOKEN: admin.access_token,
    npm_config_loglevel: 'error',
    npm_config_update_notifier: 'false',
  });
  await writeFile('docs/walks/developer.txt', `${text}\n`);
} finally {
  await scope.end();
}
