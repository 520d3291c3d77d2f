import type { Imaging, PictureFile, ProcessedImage } from '../../imaging/port.js';
import { loggedFields, runWithin } from '../../base/telemetry/context.js';
import type { Channel } from './channel.js';

/** A request of an HTTP process to the imaging queue. */
export interface ImagingCall {
  readonly file: PictureFile;
  readonly userId: string;
  /** Log fields of the request. */
  readonly logged: ReturnType<typeof loggedFields>;
}

/** The HTTP process's client of the service's imaging queue, which serves all processes fairly. */
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

  /** Does nothing: the service closes the queue. */
  async close(): Promise<void> {}
}

/** The service's handlers of these calls. */
export const imagingHandlers = (imaging: Imaging) => ({
  // Buffers arrive as plain byte arrays.
  process: ({ file, userId, logged }: ImagingCall) =>
    runWithin({ logged }, () =>
      imaging.process({ path: file.path, hash: Buffer.from(file.hash) }, userId),
    ),
  imagingReady: () => imaging.ready(),
});
