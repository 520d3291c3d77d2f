// The developer tools that check the document and the clients. They come with 300 packages, too many
// for `npm test`.
import { install, project } from './project.mjs';

const tools = [
  '@redocly/cli@2.77.0',
  '@hey-api/openapi-ts@0.95.0',
  'esbuild@0.25.12',
  'orval@7.13.2',
];

/** @returns the directory of a project with the tools. */
export async function installTools(scope) {
  const dir = await project(scope);
  await install(dir, ...tools);
  return dir;
}
