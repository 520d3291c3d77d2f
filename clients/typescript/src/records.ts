import type { components } from './schema.js';

type Schemas = components['schemas'];

/** An image in a response. */
export type Image = Schemas['Image'];
export type Folder = Schemas['Folder'];
/** The body of every error response; `error.code` is a stable word. */
export type Failure = Schemas['Error'];
/** A link for people without an account. */
export type Link = Schemas['Link'];
export type UploadSet = Schemas['UploadSet'];
/** Includes the hashes of missing files. */
export type UploadSetDetails = Schemas['UploadSetDetails'];
/** An entry of the change feed. */
export type Change = Schemas['Change'];
/** An entry of the feed of a platform. */
export type PlatformChange = Schemas['PlatformChange'];
