/**
 * FFmpeg's HEVC decoder, if this machine has one: libavcodec, called through koffi. A HEIC image of
 * 12 megapixels and 48 tiles takes 2.6 to 2.9 times the CPU time of the same image as JPEG. With
 * `ffmpeg` started for each image it would be 5.5 to 6.3 times (240 to 290 ms only for the start),
 * with libheif's C interface more, with the bundled WebAssembly twelve times.
 *
 * Relied on are functions and options by name, and the beginning of two structures, declared below
 * as in FFmpeg's headers; within a major version, FFmpeg guarantees them. If anything is missing or
 * different, which decoding a known picture shows, there is no decoder, and WebAssembly is used.
 */
import { availableParallelism } from 'node:os';
import type Koffi from 'koffi';

/** Of libavcodec, FFmpeg 8 to 4: what is used here is the same in all. */
const majorVersions = [62, 61, 60, 59, 58];

const packetFields = { buf: 'void*', pts: 'int64_t', dts: 'int64_t', data: 'void*', size: 'int' };
const maxPlanes = 8;
const frameFields = (koffi: typeof Koffi) => ({
  data: koffi.array('void*', maxPlanes),
  linesize: koffi.array('int', maxPlanes),
  extended_data: 'void*',
  width: 'int',
  height: 'int',
  nb_samples: 'int',
  format: 'int',
});

/** An address in the library's memory. */
type Pointer = bigint | null;

interface Packet {
  readonly data: Pointer;
  readonly size: number;
}

interface Frame {
  /** By plane. */
  readonly data: readonly Pointer[];
  /** Bytes from one row to the next, by plane. */
  readonly linesize: ArrayLike<number>;
  /** Of video, the address of `data`. */
  readonly extended_data: Pointer;
  readonly width: number;
  readonly height: number;
  /** A number of `AVPixelFormat`. */
  readonly format: number;
}

/** Functions of libavcodec, and of libavutil, with which it is linked. */
const signatures = [
  'unsigned int avcodec_version()',
  'void av_log_set_level(int)',
  'void* avcodec_find_decoder_by_name(const char*)',
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

interface Library {
  avcodec_version(): number;
  av_log_set_level(level: number): void;
  avcodec_find_decoder_by_name(name: string): Pointer;
  avcodec_alloc_context3(codec: Pointer): Pointer;
  avcodec_free_context(context: [Pointer]): void;
  av_opt_set(context: Pointer, name: string, value: string, flags: 0): number;
  av_opt_get_int(context: Pointer, name: string, flags: 0, out: [number]): number;
  avcodec_open2(context: Pointer, codec: Pointer, options: null): number;
  av_packet_alloc(): Pointer;
  av_new_packet(packet: Pointer, bytes: number): number;
  av_packet_free(packet: [Pointer]): void;
  av_image_copy_plane(
    ...args: [
      ...[to: Buffer | Pointer, toStride: number, from: Buffer | Pointer, fromStride: number],
      ...[rowBytes: number, rows: number],
    ]
  ): void;
  avcodec_send_packet(context: Pointer, packet: Pointer): number;
  av_frame_alloc(): Pointer;
  av_frame_free(frame: [Pointer]): void;
  avcodec_receive_frame(context: Pointer, frame: Pointer): number;
  readonly packetAt: (packet: Pointer) => Packet;
  readonly frameAt: (frame: Pointer) => Frame;
}

/** `AV_LOG_QUIET`: messages about broken files are of no use to an operator. */
const quiet = -8;
const tryAgain = -11;
const endOfFile = -0x20464f45;
/** `AV_PIX_FMT_YUV420P` and `YUVJ420P`: the second says that samples use the full range. */
const limited420 = 0;
const full420 = 12;
/** More threads would hold more frames at once, and other images need cores too. */
const maxThreads = 4;
/** The decoder checks sizes rounded up to its largest blocks. */
const blockSide = 64;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How to interpret samples: the matrix is a number of ITU-T H.273. */
export interface Coding {
  readonly matrix: number;
  readonly fullRange: boolean;
}

interface CopiedRows {
  /** 0 for luma, 1 and 2 for chroma of half its size. */
  readonly plane: 0 | 1 | 2;
  readonly to: Buffer;
  readonly toStride: number;
  readonly rowBytes: number;
  readonly rows: number;
}

/** Copies rows of the frame, from its top left. */
export type CopyRows = (rows: CopiedRows) => void;

function check(status: number): void {
  if (status < 0) throw new Error(`FFmpeg: ${status}`);
}

class Ffmpeg {
  readonly version: string;
  readonly #hevc: Pointer;

  /** @throws Error if it has no HEVC decoder. */
  constructor(private readonly library: Library) {
    library.av_log_set_level(quiet);
    const version = library.avcodec_version();
    this.version = `${version >>> 16}.${(version >>> 8) & 0xff}.${version & 0xff}`;
    this.#hevc = library.avcodec_find_decoder_by_name('hevc');
    if (this.#hevc === null) throw new Error('no HEVC decoder');
  }

  /**
   * Decodes HEVC pictures of one size, 8 bits and 4:2:0, several of them at the same time.
   *
   * @param pictures each with its parameter sets, in the form of Annex B
   * @param onFrame called with each in order
   * @throws Error unless each yields exactly one frame of the expected size and format
   */
  decode(
    pictures: readonly Buffer[],
    size: Size,
    onFrame: (copy: CopyRows, index: number) => void,
  ): Coding {
    const { library } = this;
    const [context, memory] = [this.#open(size), library.av_frame_alloc()];
    let [frames, fullRange] = [0, false];
    /** Takes all frames that are ready. */
    const receive = (): void => {
      for (;;) {
        const status = library.avcodec_receive_frame(context, memory);
        if (status === tryAgain || status === endOfFile) return;
        check(status);
        const frame = this.#frameAt(memory, size);
        fullRange = frame.format === full420;
        const copy: CopyRows = ({ plane, to, toStride, rowBytes, rows }) => {
          const [from = null, stride = 0] = [frame.data[plane], frame.linesize[plane]];
          library.av_image_copy_plane(to, toStride, from, stride, rowBytes, rows);
        };
        onFrame(copy, frames++);
      }
    };
    try {
      for (const picture of pictures) {
        this.#send(context, picture);
        receive();
      }
      // Flushes the frames that are still being decoded.
      check(library.avcodec_send_packet(context, null));
      receive();
      if (frames !== pictures.length) throw new Error(`${frames} frames`);
      const matrix: [number] = [0];
      check(library.av_opt_get_int(context, 'colorspace', 0, matrix));
      return { matrix: matrix[0], fullRange };
    } finally {
      library.av_frame_free([memory]);
      library.avcodec_free_context([context]);
    }
  }

  #open({ width, height }: Size): Pointer {
    const context = this.library.avcodec_alloc_context3(this.#hevc);
    const options = {
      // Checked before anything is allocated: the declared size may differ from the coded one.
      max_pixels: (width + blockSide) * (height + blockSide),
      err_detect: 'explode',
      threads: Math.min(maxThreads, availableParallelism()),
    };
    try {
      for (const [name, value] of Object.entries(options)) {
        check(this.library.av_opt_set(context, name, String(value), 0));
      }
      check(this.library.avcodec_open2(context, this.#hevc, null));
      return context;
    } catch (error) {
      this.library.avcodec_free_context([context]);
      throw error;
    }
  }

  #send(context: Pointer, picture: Buffer): void {
    const { length } = picture;
    const packet = this.library.av_packet_alloc();
    try {
      check(this.library.av_new_packet(packet, length));
      const { data, size } = this.library.packetAt(packet);
      if (data === null || size !== length) throw new Error('another AVPacket');
      // As a single row: this function copies between FFmpeg's memory and buffers.
      this.library.av_image_copy_plane(data, length, picture, length, length, 1);
      check(this.library.avcodec_send_packet(context, packet));
    } finally {
      this.library.av_packet_free([packet]);
    }
  }

  #frameAt(memory: Pointer, size: Size): Frame {
    const frame = this.library.frameAt(memory);
    if (frame.extended_data !== memory) throw new Error('another AVFrame');
    if (frame.width !== size.width || frame.height !== size.height) throw new Error('another size');
    const { format, linesize } = frame;
    if (format !== limited420 && format !== full420) throw new Error(`format ${format}`);
    const half = Math.ceil(size.width / 2);
    const isWide = [size.width, half, half].every((width, i) => (linesize[i] ?? 0) >= width);
    if (!isWide) throw new Error('rows too short');
    return frame;
  }
}

/**
 * 16 × 16, in the full range, matrix BT.709; luma is different in each quarter, chroma is the same
 * everywhere.
 */
const knownPicture = Buffer.from(
  'AAAAAUABDAH//wQIAAADAJ+oAAADAAAeugJAAAAAAUIBAQQIAAADAJ+oAAADAAAeoIhFluqvC5uBAQCCAAADAAIAAAMAMhAAAAABRAHBc8DSQAAAASgBrBrApioGf11c//+aa+h7780TRr6Z9OJwnhyqpIA8bIY=',
  'base64',
);
const knownQuarters = [50, 150, 100, 200];
const knownChroma = [90, 170];

/** @throws Error unless a known picture is decoded to exactly its samples. */
function assertDecodes(ffmpeg: Ffmpeg): void {
  const planes = [16, 8, 8].map((side) => Buffer.alloc(side * side));
  const coding = ffmpeg.decode([knownPicture], { width: 16, height: 16 }, (copy) => {
    for (const plane of [0, 1, 2] as const) {
      const side = plane === 0 ? 16 : 8;
      const to = planes[plane] ?? Buffer.alloc(0);
      copy({ plane, to, toStride: side, rowBytes: side, rows: side });
    }
  });
  const luma = Buffer.from(
    Array.from({ length: 256 }, (_, i) => knownQuarters[(i >> 7) * 2 + ((i >> 3) & 1)] ?? 0),
  );
  const expected = [luma, ...knownChroma.map((value) => Buffer.alloc(64, value))];
  const isSame = planes.every((plane, i) => expected[i]?.equals(plane));
  if (!isSame || !coding.fullRange || coding.matrix !== 1) throw new Error('other samples');
}

/** @throws Error if the library or one of the functions is missing, or does something else. */
function bind(koffi: typeof Koffi, version: number): Ffmpeg {
  const shared = koffi.load(`libavcodec.so.${version}`);
  const calls = signatures.map((signature) => shared.func(signature));
  const functions = Object.fromEntries(calls.map((call) => [call.info.name, call]));
  const [packet, frame] = [koffi.struct(packetFields), koffi.struct(frameFields(koffi))];
  const ffmpeg = new Ffmpeg({
    ...(functions as unknown as Library),
    packetAt: (pointer) => koffi.decode(pointer, packet) as Packet,
    frameAt: (pointer) => koffi.decode(pointer, frame) as Frame,
  });
  assertDecodes(ffmpeg);
  return ffmpeg;
}

async function load(): Promise<Ffmpeg | undefined> {
  // An optional dependency, missing on machines for which it has no build.
  const koffi = await import('koffi').catch(() => undefined);
  if (!koffi) return undefined;
  for (const version of majorVersions) {
    try {
      return bind(koffi.default, version);
    } catch {
      // Not installed, built without HEVC, or different.
    }
  }
  return undefined;
}

let loaded: Promise<Ffmpeg | undefined> | undefined;

/** @returns undefined if this machine has no supported FFmpeg that decodes HEVC. */
export const loadFfmpeg = (): Promise<Ffmpeg | undefined> => (loaded ??= load());
