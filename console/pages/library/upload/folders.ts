import { Problem } from '../../../core/problem';
import type { Access } from '../access';
import { createFolder } from '../actions';
import type { FolderTree } from '../tree/tree';

/** Creates the folders that files were in, each once. */
export class Folders {
  readonly #made = new Map<string, Promise<string>>();

  constructor(
    private readonly access: Access,
    private readonly tree: FolderTree,
  ) {}

  /** @returns the id of the folder at a path below another. @throws Problem. */
  async at(base: string, path: readonly string[]): Promise<string> {
    let id = base;
    for (const title of path) id = await this.#child(id, title);
    return id;
  }

  #child(parent: string, title: string): Promise<string> {
    const name = `${parent}/${title}`;
    const known = this.#made.get(name) ?? this.#make(parent, title);
    this.#made.set(name, known);
    // The next caller tries again.
    known.catch(() => this.#made.delete(name));
    return known;
  }

  async #make(parent: string, title: string): Promise<string> {
    try {
      return (await createFolder(this.access, parent, title)).id;
    } catch (problem) {
      if (!(problem instanceof Problem && problem.code === 'folder_exists')) throw problem;
      const there = await this.tree.childNamed(parent, title);
      if (!there) throw problem;
      return there.id;
    }
  }
}
