import { cp, mkdir, symlink } from 'node:fs/promises';
import type { Home } from '../src/config/home.js';
import { newHome } from './command.js';
import type { Scope } from './scope.js';

/** The place of a further node's home: its store is that of `first`, as on a shared disk. */
export async function besides(scope: Scope, first: Home): Promise<Home> {
  const home = await newHome(scope);
  await mkdir(home.dir);
  await symlink(first.store, home.store);
  return home;
}

/** Makes a home that of a node: the same master key, and the folders that serving needs. */
export async function giveSecrets(first: Home, home: Home): Promise<void> {
  await cp(first.secrets, home.secrets, { recursive: true });
  await mkdir(home.run);
}

/** The home of a node that has joined: the same master key, the same store, nothing else shared. */
export async function joinedHome(scope: Scope, first: Home): Promise<Home> {
  const home = await besides(scope, first);
  await giveSecrets(first, home);
  return home;
}
