import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { step } from './container.mjs';

/** The instructions of a Dockerfile: a keyword and the rest of its line. */
function instructions(file) {
  return readFileSync(file, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
    .filter((match) => match !== null)
    .map(([, word, rest]) => ({ word, rest }));
}

const pairs = (rest) =>
  Object.fromEntries([...rest.matchAll(/(\S+?)=(\S+)/g)].map(([, name, value]) => [name, value]));

/** Copies like COPY: the contents of a folder, or several files into the folder. */
function copy(from, rest, image) {
  const names = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
  const last = names.pop();
  const target = join(image.root, resolve(image.cwd, last));
  for (const name of names) {
    const source = join(from, name);
    const into = last.endsWith('/') ? join(target, basename(name)) : target;
    cpSync(source, into, { recursive: true, verbatimSymlinks: true });
  }
}

/**
 * Builds a Dockerfile as an engine does, in a copy of a base tree for each stage. Supports only the
 * instructions in docker/Dockerfile.
 * @param makeBase creates the tree of a named image in a folder.
 * @returns the last stage: its root, environment, user, and commands.
 */
export async function buildImage({ dockerfile, context, work, makeBase, log }) {
  const stages = new Map();
  let image;
  for (const { word, rest } of instructions(dockerfile)) {
    log(`${word} ${rest}`.replace(/\s+/g, ' ').slice(0, 100));
    switch (word) {
      case 'FROM': {
        const [, base, name] = /^(\S+)(?: AS (\S+))?$/.exec(rest);
        image = { root: join(work, `stage-${stages.size}`), cwd: '/', env: {}, user: 'root' };
        await makeBase(base, image.root);
        stages.set(name ?? 'last', image);
        break;
      }
      case 'WORKDIR':
        image.cwd = resolve(image.cwd, rest);
        mkdirSync(join(image.root, image.cwd), { recursive: true });
        break;
      case 'COPY': {
        const stage = /--from=(\S+)/.exec(rest)?.[1];
        copy(stage ? stages.get(stage).root : context, rest, image);
        break;
      }
      case 'RUN':
        await step(image.root, image, rest);
        break;
      case 'ENV':
        Object.assign(image.env, pairs(rest));
        break;
      case 'USER':
        image.user = rest;
        break;
      case 'ENTRYPOINT':
        image.entrypoint = JSON.parse(rest);
        break;
      case 'HEALTHCHECK':
        image.healthcheck = JSON.parse(/CMD (\[.*\])/.exec(rest)[1]);
        break;
      case 'VOLUME':
        image.volume = rest;
        break;
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${dockerfile}: unsupported instruction ${word}`);
    }
  }
  return image;
}

/** The build context sent to an engine: the files that .dockerignore does not exclude. */
export function makeContext(root, folder) {
  const listed = execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8' });
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const kept = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  for (const file of listed.split('\0').filter(Boolean)) {
    if (file.endsWith('.test.ts')) continue;
    if (!kept.some((rule) => file === rule || file.startsWith(`${rule}/`))) continue;
    cpSync(join(root, file), join(folder, file));
  }
}
