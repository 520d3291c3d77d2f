import { runInParallel, type Attack } from './attack.js';
import { Pour, boundary } from './pour.js';

const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\na\r\n`;
const chunk = Buffer.from(part.repeat(800));
const limit = 21e6;

/** Uploads of 21 MB of tiny files, four at a time. */
export const fileParts: Attack = {
  name: '4 file parts',
  seconds: 20,
  prepare: async (target) => {
    const { images, token } = target.user;
    const head =
      `POST ${images} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: User ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${25e6}\r\n\r\n`;
    return async (signal) => {
      const pour = new Pour();
      await runInParallel(4, signal, () => pour.send(target.port, { head, chunk, limit, signal }));
      return pour.toString();
    };
  },
};
