import type Koffi from 'koffi';

/** Versions of libavcodec, FFmpeg 4 to 8: the functions and fields used here are the same in all. */
const versions = [62, 61, 60, 59, 58];

// Offsets of the fields of AVPacket and AVFrame that are read here, in bytes, on 64-bit machines.
const packetData = 24;
const frameStrides = 64;
const frameSize = 104;
const planes = 3;

/** AV_LOG_QUIET: messages about broken files are of no use to an operator. */
const quiet = -8;

declare const brand: unique symbol;
/** Something in the library's memory. */
export type Pointer = { readonly [brand]: true } | null;
type Out<T> = [T];

export interface Frame {
  readonly planes: readonly Pointer[];
  /** Bytes from one row to the next, by plane. */
  readonly strides: readonly number[];
  readonly width: number;
  readonly height: number;
  /** A number of `AVPixelFormat`. */
  readonly format: number;
}

/** The functions of libavcodec and libavutil that are used here, under their original names. */
export interface Ffmpeg {
  readonly version: string;
  readonly hevc: Pointer;
  avcodec_alloc_context3(codec: Pointer): Pointer;
  avcodec_free_context(context: Out<Pointer>): void;
  av_opt_set(context: Pointer, name: string, value: string, flags: 0): number;
  av_opt_get_int(context: Pointer, name: string, flags: 0, out: Out<number>): number;
  avcodec_open2(context: Pointer, codec: Pointer, options: null): number;
  av_packet_alloc(): Pointer;
  av_new_packet(packet: Pointer, bytes: number): number;
  av_packet_free(packet: Out<Pointer>): void;
  av_image_copy_plane(
    ...args: [
      ...[to: Buffer | Pointer, toStride: number, from: Buffer | Pointer, fromStride: number],
      ...[rowBytes: number, rows: number],
    ]
  ): void;
  avcodec_send_packet(context: Pointer, packet: Pointer): number;
  av_frame_alloc(): Pointer;
  av_frame_free(frame: Out<Pointer>): void;
  avcodec_receive_frame(context: Pointer, frame: Pointer): number;
  /** Pointer to the bytes of a packet. */
  dataOf(packet: Pointer): Pointer;
  read(frame: Pointer): Frame;
}

const signatures = [
  'void* avcodec_alloc_context3(void*)',
  'void avcodec_free_context(_Inout_ void**)',
  'int av_opt_set(void*, const char*, const char*, int)',
  'int av_opt_get_int(void*, const char*, int, _Out_ int64_t*)',
  'int avcodec_open2(void*, void*, void*)',
  'void* av_packet_alloc()',
  'int av_new_packet(void*, int)',
  'void av_packet_free(_Inout_ void**)',
  'void av_image_copy_plane(void*, int, const void*, int, int, int)',
  'int avcodec_send_packet(void*, void*)',
  'void* av_frame_alloc()',
  'void av_frame_free(_Inout_ void**)',
  'int avcodec_receive_frame(void*, void*)',
];

let loaded: Promise<Ffmpeg | undefined> | undefined;

/** @returns undefined if this machine has no supported FFmpeg that decodes HEVC. */
export const loadFfmpeg = (): Promise<Ffmpeg | undefined> => (loaded ??= load());

async function load(): Promise<Ffmpeg | undefined> {
  // An optional dependency, missing on machines for which it has no build.
  const koffi = await import('koffi').catch(() => undefined);
  if (!koffi) return undefined;
  for (const version of versions) {
    try {
      return bind(koffi.default, `libavcodec.so.${version}`);
    } catch {
      // Not installed, or built without HEVC or a required function.
    }
  }
  return undefined;
}

/** @throws Error if the library or one of the functions is missing. */
function bind(koffi: typeof Koffi, soname: string): Ffmpeg {
  // Functions of libavutil are found through it as well, since it is linked with libavutil.
  const library = koffi.load(soname);
  const functions = Object.fromEntries(
    signatures.map((signature) => {
      const call = library.func(signature);
      return [call.info.name, call];
    }),
  );
  library.func('void av_log_set_level(int)')(quiet);
  const find = library.func('void* avcodec_find_decoder_by_name(const char*)');
  const hevc = find('hevc') as Pointer;
  if (hevc === null) throw new Error('it has no HEVC decoder');
  const version = Number(library.func('unsigned int avcodec_version()')());
  return {
    ...(functions as unknown as Ffmpeg),
    hevc,
    version: `${version >>> 16}.${(version >>> 8) & 0xff}.${version & 0xff}`,
    dataOf: (packet) => koffi.decode(packet, packetData, 'void*') as Pointer,
    read: (frame) => {
      const numbers = (at: number, count: number): number[] => [
        ...(koffi.decode(frame, at, koffi.array('int', count)) as Iterable<number>),
      ];
      const [width = 0, height = 0, , format = -1] = numbers(frameSize, 4);
      const pointers = koffi.decode(frame, 0, koffi.array('void*', planes)) as Pointer[];
      return { planes: pointers, strides: numbers(frameStrides, planes), width, height, format };
    },
  };
}
