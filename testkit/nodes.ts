import { cp, mkdir, symlink } from 'node:fs/promises';
import type { Home } from '../src/base/config/home.js';
import { newHome } from './command.js';
import type { Scope } from './scope.js';

/** A home for another node that shares the store of `first`, as on a shared disk. */
export async function nodeHome(scope: Scope, first: Home): Promise<Home> {
  const home = await newHome(scope);
  await mkdir(home.dir);
  await symlink(first.store, home.store);
  return home;
}

/** Makes a home that of a node: copies the master key and creates the directories needed for serving. */
async function copySecrets(first: Home, home: Home): Promise<void> {
  await cp(first.secrets, home.secrets, { recursive: true });
  await mkdir(home.run);
}

/** The home of a node that has joined: it shares only the master key and the store. */
export async function joinedHome(scope: Scope, first: Home): Promise<Home> {
  const home = await nodeHome(scope, first);
  await copySecrets(first, home);
  return home;
}
