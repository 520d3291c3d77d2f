/** Of the shared library; its interface has been the same since. */
const soname = 'libheif.so.1';
const oldest = 0x01_0f; // 1.15, the oldest that was tested

// heif_compression_HEVC, heif_colorspace_RGB, heif_chroma_interleaved_*, heif_channel_interleaved.
const hevc = 1;
const rgb = 1;
const chroma = { 3: 10, 4: 11 } as const;
const interleaved = 10;

interface Status {
  readonly code: number;
  readonly message: string;
}

/** The image as decoded: rows of interleaved samples, in memory that is valid during the call only. */
export interface RawImage {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Bytes from one row to the next, padding included. */
  readonly stride: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The libheif of the machine. */
export interface NativeLibheif {
  readonly version: string;
  /**
   * Decodes the primary image of a file, up to four tiles of a grid at the same time.
   * @param accept may throw before anything is decoded.
   * @throws Error with libheif's message.
   */
  decode<T>(
    file: Buffer,
    accept: (size: Size) => void,
    use: (image: RawImage) => Promise<T>,
  ): Promise<T>;
}

let loaded: Promise<NativeLibheif | undefined> | undefined;

/**
 * Loads it once per thread, since the names of koffi's types are taken after that.
 * @returns undefined if the machine has none, or none that decodes HEVC.
 */
export const loadNativeLibheif = (): Promise<NativeLibheif | undefined> => (loaded ??= load());

async function load(): Promise<NativeLibheif | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const library = koffi.load(soname);
    koffi.struct('heif_error', { code: 'int', subcode: 'int', message: 'const char*' });
    return bind((signature) => library.func(signature), koffi.view);
  } catch {
    // Not installed: koffi, which is optional, has no build for this machine, or libheif is missing.
    return undefined;
  }
}

type View = (pointer: unknown, bytes: number) => ArrayBuffer;

function bind(func: (signature: string) => unknown, view: View): NativeLibheif | undefined {
  const versionNumber = func('uint32_t heif_get_version_number()') as () => number;
  const version = func('const char* heif_get_version()') as () => string;
  const alloc = func('void* heif_context_alloc()') as () => unknown;
  const free = func('void heif_context_free(void*)') as (context: unknown) => void;
  const has = func('int heif_have_decoder_for_format(int)') as (format: number) => number;
  const read = func(
    'heif_error heif_context_read_from_memory(void*, const uint8_t*, size_t, void*)',
  ) as (context: unknown, file: Buffer, bytes: number, options: null) => Status;
  const primary = func('heif_error heif_context_get_primary_image_handle(void*, _Out_ void**)') as (
    context: unknown,
    handle: unknown[],
  ) => Status;
  const releaseHandle = func('void heif_image_handle_release(void*)') as (handle: unknown) => void;
  const width = func('int heif_image_handle_get_width(void*)') as (handle: unknown) => number;
  const height = func('int heif_image_handle_get_height(void*)') as (handle: unknown) => number;
  const alpha = func('int heif_image_handle_has_alpha_channel(void*)') as (h: unknown) => number;
  const decodeImage = func(
    'heif_error heif_decode_image(void*, _Out_ void**, int, int, void*)',
  ) as (handle: unknown, image: unknown[], space: number, chroma: number, options: null) => Status;
  const releaseImage = func('void heif_image_release(void*)') as (image: unknown) => void;
  const imageWidth = func('int heif_image_get_width(void*, int)') as Measure;
  const imageHeight = func('int heif_image_get_height(void*, int)') as Measure;
  const plane = func('void* heif_image_get_plane_readonly(void*, int, _Out_ int*)') as (
    image: unknown,
    channel: number,
    stride: number[],
  ) => unknown;

  const decodeHandle = (handle: unknown): { image: unknown; raw: RawImage } => {
    const channels: 3 | 4 = alpha(handle) === 0 ? 3 : 4;
    const [image] = made((out) => decodeImage(handle, out, rgb, chroma[channels], null));
    const stride = [0];
    const pointer = plane(image, interleaved, stride);
    const rows = imageHeight(image, interleaved);
    const bytes = (stride[0] ?? 0) * rows;
    const raw: RawImage = {
      data: Buffer.from(view(pointer, bytes)),
      ...{ width: imageWidth(image, interleaved), height: rows, channels, stride: stride[0] ?? 0 },
    };
    return { image, raw };
  };

  // Opening a context also loads libheif's plugins.
  const context = alloc();
  const usable = versionNumber() >>> 16 >= oldest && has(hevc) !== 0;
  free(context);
  if (!usable) return undefined;
  return {
    version: version(),
    decode: async (file, accept, use) => {
      const opened = alloc();
      const releases = [() => free(opened)];
      try {
        check(read(opened, file, file.length, null));
        const [handle] = made((out) => primary(opened, out));
        releases.unshift(() => releaseHandle(handle));
        accept({ width: width(handle), height: height(handle) });
        const { image, raw } = decodeHandle(handle);
        releases.unshift(() => releaseImage(image));
        return await use(raw);
      } finally {
        for (const release of releases) release();
      }
    },
  };
}

type Measure = (image: unknown, channel: number) => number;

function check({ code, message }: Status): void {
  if (code !== 0) throw new Error(message);
}

/** What a function puts out besides its status. */
function made(call: (out: unknown[]) => Status): readonly [unknown] {
  const out: unknown[] = [null];
  check(call(out));
  return [out[0]];
}
