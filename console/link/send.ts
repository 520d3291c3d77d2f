import { addressOf, Refusal, resultOf } from './api';

/** A picture on its way. */
export interface Sending {
  readonly file: Blob;
  readonly name: string;
  /** @param share that has been sent, from 0 to 1. */
  readonly onShare: (share: number) => void;
}

/**
 * Sends one picture: by XMLHttpRequest, which tells how far it is. The same file may be sent any
 * number of times, and arrives once.
 * @returns what stands for it on the server. @throws Refusal.
 */
export async function send({ file, name, onShare }: Sending): Promise<string> {
  const form = new FormData();
  form.append('image_data', file, name);
  const request = new XMLHttpRequest();
  request.open('POST', addressOf('images'));
  request.upload.onprogress = ({ loaded, total }) => onShare(loaded / total);
  await new Promise<void>((resolve, reject) => {
    const broken = (): void => reject(new Refusal(0, 'unreachable', 'The connection broke.'));
    request.onload = () => resolve();
    request.onerror = broken;
    request.onabort = broken;
    request.send(form);
  });
  return resultOf<{ id: string }>(request.status, request.responseText).id;
}
