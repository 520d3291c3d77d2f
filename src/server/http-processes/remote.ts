import { ServiceError } from '../../base/errors/catalogue.js';
import { guarded, ignore } from '../../base/guarded.js';
import { loggedFields, runWithin } from '../../base/telemetry/context.js';
import type { UploadSlots } from '../../http/open-uploads.js';
import type { DerivedImage, Imaging, PictureFile, ProcessedImage } from '../../imaging/port.js';
import type { Channel } from './channel.js';

/** A request of an HTTP process to the imaging queue. */
interface ImagingCall {
  readonly file: PictureFile;
  readonly userId: string;
  /** Of the square that a whole picture is fitted into. */
  readonly side?: number | undefined;
  /** Log fields of the request. */
  readonly logged: ReturnType<typeof loggedFields>;
}

/** The HTTP process's client of the service's imaging queue, which serves all processes fairly. */
export class RemoteImaging implements Imaging {
  constructor(private readonly service: Channel) {}

  process(file: PictureFile, userId: string): Promise<ProcessedImage> {
    return this.service.call<ProcessedImage>('process', callFor(file, userId));
  }

  full(file: PictureFile, userId: string, side?: number): Promise<DerivedImage> {
    return this.service.call<DerivedImage>('full', { ...callFor(file, userId), side });
  }

  ready(): Promise<boolean> {
    return this.service.call<boolean>('imagingReady');
  }

  /** Does nothing: the service closes the queue. */
  async close(): Promise<void> {}
}

const callFor = ({ path, hash }: PictureFile, userId: string): ImagingCall => ({
  file: { path, hash },
  userId,
  logged: loggedFields(),
});

/** The service's handlers of these calls. */
export const imagingHandlers = (imaging: Imaging) => ({
  process: ({ file, userId, logged }: ImagingCall) =>
    runWithin({ logged }, () => imaging.process(asSent(file), userId)),
  full: ({ file, userId, side, logged }: ImagingCall) =>
    runWithin({ logged }, () => imaging.full(asSent(file), userId, side)),
  imagingReady: () => imaging.ready(),
});

/** Buffers arrive as plain byte arrays. */
const asSent = ({ path, hash }: PictureFile): PictureFile => ({ path, hash: Buffer.from(hash) });

interface SlotCall {
  readonly slot: number;
  readonly userId: string;
}

/** The HTTP process's client of the service's upload slots. */
export class RemoteUploadSlots implements UploadSlots {
  #slots = 0;

  constructor(private readonly service: Channel) {}

  async run(userId: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    const slot = (this.#slots += 1);
    const leave = (): void => void this.service.call('leaveSlot', slot).catch(ignore);
    const gone = guarded(ignore, leave);
    signal.addEventListener('abort', gone, { once: true });
    try {
      await this.service.call('takeSlot', { slot, userId } satisfies SlotCall);
      if (signal.aborted) throw new ServiceError('upload_interrupted');
      await work();
    } finally {
      signal.removeEventListener('abort', gone);
      leave();
    }
  }
}

/** The slots that one HTTP process holds or waits for. */
export class SlotsOfProcess {
  readonly #held = new Map<number, { readonly leave: () => void }>();

  constructor(private readonly slots: UploadSlots) {}

  readonly handlers = {
    takeSlot: ({ slot, userId }: SlotCall) => this.#take(slot, userId),
    leaveSlot: (slot: number) => this.#held.get(slot)?.leave(),
  };

  /** Resolves as soon as the slot is granted; it is held until `leaveSlot`. */
  #take(slot: number, userId: string): Promise<void> {
    const left = new AbortController();
    const waiting = new Promise<void>((granted, refused) => {
      const work = (): Promise<void> =>
        new Promise((done) => {
          granted();
          if (left.signal.aborted) done();
          left.signal.addEventListener(
            'abort',
            guarded(ignore, () => done()),
            {
              once: true,
            },
          );
        });
      this.slots
        .run(userId, left.signal, work)
        .catch(refused)
        .finally(() => this.#held.delete(slot));
    });
    this.#held.set(slot, { leave: () => left.abort() });
    return waiting;
  }

  /** Must be called when the process has ended. */
  leaveAll(): void {
    for (const { leave } of this.#held.values()) leave();
  }
}
