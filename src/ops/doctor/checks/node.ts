import { ok, problem, type Check, type Diagnosis } from '../check.js';

/** As in package.json. */
const oldest = [20, 19] as const;

/** @param version such as 20.19.0. */
export function judgeNode(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) {
    return ok(`Node.js ${version}.`);
  }
  return problem(
    `This is Node.js ${version}; imgstore needs ${oldest.join('.')} or newer.`,
    'Install a newer one: https://nodejs.org/en/download, or the Debian package of imgstore, which includes its own.',
  );
}

export const node: Check = {
  name: 'node',
  title: 'Node.js is new enough',
  category: 'machine',
  run: () => judgeNode(process.versions.node),
};
