import { FolderModel, type TrashEvent } from './folder-model.js';

export interface OwnVersion {
  readonly hash: string;
  readonly bytes: number;
}

/** Where images are taken. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

export interface OwnImage {
  readonly id: string;
  /** `YYYYMMDD_HHMMSS` */
  readonly createdAt: string;
  readonly spot: Coordinates | null;
  readonly uploadType: UploadType;
  /** The upload and its edits, oldest first. */
  readonly versions: OwnVersion[];
  readonly memos: Map<string, { message: string; isClient: boolean }>;
  readonly customs: Map<string, { key: string; value: string }>;
  folderId: string | null;
  building: string | null;
  hasDet: boolean | null;
  isShared: boolean;
  trash: TrashEvent | null;
}

export const uploadTypes = ['camera', 'gallery', 'request'] as const;
export type UploadType = (typeof uploadTypes)[number];

const noVersion: OwnVersion = { hash: '', bytes: 0 };

export const originalOf = ({ versions }: OwnImage): OwnVersion => versions[0] ?? noVersion;
export const currentOf = ({ versions }: OwnImage): OwnVersion => versions.at(-1) ?? noVersion;

/** True: only the trash; false: everything else; undefined: both. */
export type Trash = boolean | undefined;

export const matchesTrash = (item: { readonly trash: TrashEvent | null }, trash: Trash): boolean =>
  trash === undefined || (item.trash !== null) === trash;

/** The expected data of one user, according to its successful requests. */
export class Model {
  readonly folders = new FolderModel();
  readonly images = new Map<string, OwnImage>();
  /** All events since the beginning, as the statistics count them. */
  readonly events = { camera: 0, gallery: 0, request: 0, edits: 0, deletions: 0 };

  imagesIn(trash: Trash): OwnImage[] {
    return [...this.images.values()].filter((image) => matchesTrash(image, trash));
  }

  trashImage(image: OwnImage): void {
    image.trash = {};
    this.events.deletions += 1;
  }

  /** An image whose folder is in the trash is restored to the top level. */
  restoreImage(image: OwnImage): void {
    image.trash = null;
    if (!this.folders.isOpen(image.folderId)) image.folderId = null;
  }

  trashFolder(id: string): void {
    const event = {};
    const ids = this.folders.trash(id, event);
    for (const image of this.imagesIn(false)) {
      if (image.folderId === null || !ids.has(image.folderId)) continue;
      image.trash = event;
      this.events.deletions += 1;
    }
  }

  restoreFolder(id: string): void {
    const { ids, event } = this.folders.restore(id);
    for (const image of this.imagesIn(true)) {
      if (image.folderId !== null && ids.has(image.folderId) && image.trash === event) {
        image.trash = null;
      }
    }
  }

  /** @returns the permanently deleted folders and images. */
  removeFolder(id: string): { readonly folders: string[]; readonly images: string[] } {
    const folders = this.folders.remove(id);
    const images = [...this.images.values()].filter(
      ({ folderId }) => folderId !== null && folders.has(folderId),
    );
    for (const image of images) {
      this.images.delete(image.id);
      if (image.trash === null) this.events.deletions += 1;
    }
    return { folders: [...folders], images: images.map((image) => image.id) };
  }
}
