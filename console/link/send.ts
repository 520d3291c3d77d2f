import { resumableFrom, SendingFailed, sendResumable } from '../core/resumable';
import { sendWatched } from '../core/xhr';
import { addressOf, Refusal, resultOf } from './api';

/** A picture on its way. */
export interface Sending {
  readonly file: Blob;
  readonly name: string;
  /** The same each time that it is sent. */
  readonly key: string;
  /** @param share that has been sent, from 0 to 1. @param isDurable whether it need not be sent again. */
  readonly onShare: (share: number, isDurable: boolean) => void;
}

/**
 * Sends one picture. The same file may be sent any number of times, and arrives once; a large one goes on
 * where it broke off. @returns what stands for it on the server. @throws Refusal.
 */
export function send(sending: Sending): Promise<string> {
  return sending.file.size < resumableFrom ? sendForm(sending) : sendInParts(sending);
}

async function sendForm({ file, name, onShare }: Sending): Promise<string> {
  const body = new FormData();
  body.append('image_data', file, name);
  const onSent = (bytes: number, total: number): void => onShare(bytes / total, false);
  const url = addressOf('images');
  const { status, text } = await sendWatched({ method: 'POST', url, body, onSent }).catch(() => {
    throw unreachable();
  });
  return resultOf<{ id: string }>(status, text).id;
}

async function sendInParts({ file, name, key, onShare }: Sending): Promise<string> {
  try {
    return await sendResumable({
      at: addressOf('uploads'),
      file,
      key,
      fields: { filename: name },
      onSent: (bytes, isDurable) => onShare(bytes / file.size, isDurable),
    });
  } catch (cause) {
    if (!(cause instanceof SendingFailed)) throw cause;
    const { status, text, retryAfterMs, passes } = cause;
    if (status === 0) throw unreachable();
    try {
      return resultOf(status, text);
    } catch (refusal) {
      const { code, message } = refusal as Refusal;
      throw new Refusal(passes && status < 429 ? 503 : status, code, message, retryAfterMs);
    }
  }
}

const unreachable = (): Refusal => new Refusal(0, 'unreachable', 'The connection broke.');
