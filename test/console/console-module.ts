import { readFile } from 'node:fs/promises';
import { transformSync } from 'rolldown/utils';

/**
 * Loads a module of the console that imports nothing: the console is built for browsers alone.
 * @param path below `console`.
 */
export async function consoleModule<Module>(path: string): Promise<Module> {
  const file = `console/${path}`;
  const { code } = transformSync(file, await readFile(file, 'utf8'));
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Module;
}
