// upload.mjs URL FILE, in a throwaway Debian: creates a platform and a user as an operator would, and uploads an image.
import { execFileSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';

const [address, file = ''] = process.argv.slice(2);
const imgstore = <T>(...args: string[]): T =>
  JSON.parse(execFileSync('imgstore', [...args, '--json'], { encoding: 'utf8' })) as T;

const platform = imgstore<{ id: string }>('platform', 'create', '--name', 'first');
const user = imgstore<{ user_id: string; access_token: string }>(
  'user',
  'create',
  '--platform',
  platform.id,
  '--platform-user-id',
  'somebody',
);
const form = new FormData();
form.set('image_data', await openAsBlob(file), 'sample.jpg');
const answer = await fetch(`${address}/api/v1/users/${user.user_id}/images`, {
  method: 'POST',
  headers: { authorization: `User ${user.access_token}` },
  body: form,
});
const { result } = (await answer.json()) as { result: { org_path_url: string } };
const kept = Buffer.from(await (await fetch(result.org_path_url)).arrayBuffer());
if (!kept.equals(await readFile(file))) throw new Error('the image came back changed');
