/** The records of the interface, as specified. */

export interface Platform {
  readonly id: string;
  readonly platform: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
}

export interface CreatedPlatform extends Platform, TokenPair {}

export interface CreatedUser extends TokenPair {
  readonly user_id: string;
  readonly platform_id: string;
  readonly platform_user_id: string;
}

export interface User {
  readonly id: string;
  readonly platform_id: string;
  readonly platform_user_id: string;
  readonly created_at: string;
  readonly access_token?: string;
}

export interface Folder {
  readonly id: string;
  readonly user_id: string;
  readonly title: string;
  readonly parent_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly delete_at: string | null;
  readonly child_folders?: readonly Folder[];
  /** With `with_counts`. */
  readonly image_count?: number;
  readonly image_count_below?: number;
  readonly first_taken_at?: string | null;
  readonly last_taken_at?: string | null;
  readonly cover?: readonly string[];
}

export interface Memo {
  readonly id: string;
  readonly image_id: string;
  readonly message: string;
  readonly is_client: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Custom {
  readonly id: string;
  readonly image_id: string;
  readonly key: string;
  readonly value: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Filedata {
  readonly original_image_id: string;
  readonly id: string;
  readonly path_url: string;
  readonly full_url?: string;
  readonly created_at: string;
  readonly hashdata: string;
  readonly filesize_mb: number;
  readonly image_resource_type: string;
  readonly resolution: string;
  readonly is_incomplete: boolean;
  readonly original_name: string | null;
}

export interface Image {
  readonly id: string;
  readonly user_id: string;
  readonly folder_id: string | null;
  readonly filename: string;
  readonly path_url: string;
  readonly org_path_url: string;
  readonly thumb_url: string;
  readonly full_url?: string;
  readonly thumbhash: string;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly address_road: string | null;
  readonly address_land: string | null;
  readonly address_land_number: string | null;
  readonly building_name: string | null;
  readonly address_sort: string | null;
  readonly address_det: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly delete_at: string | null;
  readonly filedata_total: number;
  readonly is_signed: boolean;
  readonly is_shared: boolean;
  readonly has_det: boolean | null;
  readonly image_resource_type: string;
  readonly resolution: string;
  readonly filesize_mb: number;
  readonly image_filesize_mb: number;
  readonly memos: readonly Memo[] | null;
  readonly customs: readonly Custom[] | null;
  readonly filedatas: readonly Filedata[] | null;
  readonly hashdata: string;
  readonly taken_at: string | null;
  readonly is_incomplete: boolean;
  readonly upload_set_id: string | null;
  readonly original_name: string | null;
  readonly direction: number | null;
  readonly altitude_m: number | null;
  readonly accuracy_m: number | null;
  readonly camera: string | null;
  readonly distance_m?: number;
}

/** The address fields of an image. */
export const addressFields = [
  'address_road',
  'address_land',
  'address_land_number',
  'building_name',
  'address_sort',
  'address_det',
] as const;

export interface Page<Item> {
  readonly count: number;
  readonly total_count: number;
  /** null in responses to a cursor. */
  readonly last_index: number | null;
  readonly next_cursor: string | null;
  readonly page_size: number;
  readonly total_filesize_mb: number;
  readonly items: readonly Item[];
}

export interface NumberedPage<Item> {
  readonly count: number;
  readonly total_count: number;
  /** null in responses to a cursor. */
  readonly page: number | null;
  readonly next_cursor: string | null;
  readonly page_size: number;
  readonly total_pages: number;
  readonly total_filesize_mb?: number;
  readonly items: readonly Item[];
}

export type Entry =
  | { readonly is_folder: true; readonly data: Folder }
  | { readonly is_folder: false; readonly data: Image };

/** What was deleted for good with a folder. */
export interface DeletedFolders {
  readonly deleted_folders: string[];
  readonly deleted_images: string[];
  readonly in_progress?: boolean;
}

export interface Contents extends Page<Entry> {
  readonly current_path: string;
  readonly current_path_id: string;
}

export interface Statistics {
  readonly upload_camera: number;
  readonly upload_gallery: number;
  readonly upload_request: number;
  readonly total_upload: number;
  readonly edit_count: number;
  readonly delete_count: number;
  readonly total_images: number;
  readonly org_filesize_mb: number;
  readonly org_latest_filesize_mb: number;
  readonly total_filesize_mb: number;
}

/** Which files the server has, by their hashes. */
export interface Presence {
  readonly present: readonly {
    readonly hash: string;
    readonly images: readonly {
      readonly id: string;
      readonly version: number;
      readonly in_trash: boolean;
    }[];
  }[];
  readonly missing: readonly string[];
}

/** An upload set: files that belong together, and how many of them have arrived. */
export interface UploadSet {
  readonly id: string;
  readonly title: string | null;
  readonly folder_id: string | null;
  readonly state: 'open' | 'complete';
  readonly expected: number;
  readonly arrived: number;
  /** Only of a set read by its id. */
  readonly missing?: readonly string[];
  readonly created_at: string;
  readonly completed_at: string | null;
}

export interface CountedDays {
  readonly days: readonly { readonly date: number; readonly count: number }[];
  readonly total_count: number;
}

export interface Ledger {
  readonly url: string;
  readonly count: number;
  readonly pages: number;
  readonly expires_at: string;
}

export interface Archive {
  readonly url: string;
  readonly count: number;
  readonly bytes: number;
  readonly expires_at: string;
}
