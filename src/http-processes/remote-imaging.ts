import type { Imaging, PictureFile, ProcessedImage } from '../imaging/port.js';
import { loggedFields, runWithin } from '../telemetry/context.js';
import type { Channel } from './channel.js';

/** What an HTTP process asks of the imaging queue. */
export interface ImagingCall {
  readonly file: PictureFile;
  readonly userId: string;
  /** What entries of the log have of the request. */
  readonly logged: ReturnType<typeof loggedFields>;
}

/** The service's imaging queue, as an HTTP process reaches it: one queue serves them all fairly. */
export class RemoteImaging implements Imaging {
  constructor(private readonly service: Channel) {}

  async process(file: PictureFile, userId: string): Promise<ProcessedImage> {
    const { path, hash } = file;
    const call: ImagingCall = { file: { path, hash }, userId, logged: loggedFields() };
    return this.service.call<ProcessedImage>('process', call);
  }

  ready(): Promise<boolean> {
    return this.service.call<boolean>('imagingReady');
  }

  /** The service closes it. */
  async close(): Promise<void> {}
}

/** The other end. */
export const imagingHandlers = (imaging: Imaging) => ({
  // Buffers arrive as plain byte arrays.
  process: ({ file, userId, logged }: ImagingCall) =>
    runWithin({ logged }, () =>
      imaging.process({ path: file.path, hash: Buffer.from(file.hash) }, userId),
    ),
  imagingReady: () => imaging.ready(),
});
