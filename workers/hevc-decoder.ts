import { availableParallelism } from 'node:os';
import type { Ffmpeg, Frame, Pointer } from '../src/imaging/ffmpeg.js';

/** More threads would hold more frames at once, and other images need cores too. */
const maxThreads = 4;
/** The decoder checks sizes rounded up to its largest blocks. */
const blockSide = 64;
const tryAgain = -11;
const endOfFile = -0x20464f45;
/** `AV_PIX_FMT_YUV420P` and `YUVJ420P`: the second says that samples use the full range. */
const limited420 = 0;
const full420 = 12;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How to interpret samples: the matrix is a number of ITU-T H.273. */
export interface Colours {
  readonly matrix: number;
  readonly fullRange: boolean;
}

function check(status: number): void {
  if (status < 0) throw new Error(`FFmpeg: ${status}`);
}

/** Decodes HEVC pictures of one size, 8 bits and 4:2:0, several of them at the same time. */
export class HevcDecoder {
  readonly #context: Pointer;
  readonly #frame: Pointer;
  #frames = 0;
  #fullRange = false;

  constructor(
    private readonly ffmpeg: Ffmpeg,
    private readonly size: Size,
    private readonly onFrame: (frame: Frame, index: number) => void,
  ) {
    this.#context = ffmpeg.avcodec_alloc_context3(ffmpeg.hevc);
    this.#frame = ffmpeg.av_frame_alloc();
    const maxPixels = (size.width + blockSide) * (size.height + blockSide);
    // Set before anything is allocated: the declared size may differ from the coded one.
    this.#set('max_pixels', String(maxPixels));
    this.#set('err_detect', 'explode');
    this.#set('threads', String(Math.min(maxThreads, availableParallelism())));
    check(ffmpeg.avcodec_open2(this.#context, ffmpeg.hevc, null));
  }

  /**
   * @param pictures each with its parameter sets, in the form of Annex B
   * @throws Error unless each yields exactly one frame of the expected size and format
   */
  decode(pictures: readonly Buffer[]): Colours {
    for (const picture of pictures) {
      this.#send(picture);
      this.#receive();
    }
    // Flushes the frames that are still being decoded.
    check(this.ffmpeg.avcodec_send_packet(this.#context, null));
    this.#receive();
    if (this.#frames !== pictures.length) throw new Error(`${this.#frames} frames`);
    const matrix: [number] = [0];
    check(this.ffmpeg.av_opt_get_int(this.#context, 'colorspace', 0, matrix));
    return { matrix: matrix[0], fullRange: this.#fullRange };
  }

  free(): void {
    this.ffmpeg.av_frame_free([this.#frame]);
    this.ffmpeg.avcodec_free_context([this.#context]);
  }

  #set(option: string, value: string): void {
    check(this.ffmpeg.av_opt_set(this.#context, option, value, 0));
  }

  #send(picture: Buffer): void {
    const packet = this.ffmpeg.av_packet_alloc();
    try {
      check(this.ffmpeg.av_new_packet(packet, picture.length));
      const { length } = picture;
      // Copies the bytes as a single row: this function copies between FFmpeg's memory and buffers.
      this.ffmpeg.av_image_copy_plane(
        ...([this.ffmpeg.dataOf(packet), length, picture, length, length, 1] as const),
      );
      check(this.ffmpeg.avcodec_send_packet(this.#context, packet));
    } finally {
      this.ffmpeg.av_packet_free([packet]);
    }
  }

  /** Takes all frames that are ready. */
  #receive(): void {
    for (;;) {
      const status = this.ffmpeg.avcodec_receive_frame(this.#context, this.#frame);
      if (status === tryAgain || status === endOfFile) return;
      check(status);
      const frame = this.ffmpeg.read(this.#frame);
      const { width, height, format } = frame;
      if (width !== this.size.width || height !== this.size.height) throw new Error('other size');
      if (format !== limited420 && format !== full420) throw new Error(`format ${format}`);
      this.#fullRange = format === full420;
      this.onFrame(frame, this.#frames++);
    }
  }
}
