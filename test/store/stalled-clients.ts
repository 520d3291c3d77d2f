/** A separate thread, so that the memory of the clients is not measured with that of the server. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { dial } from '../../testkit/raw.js';

const { base, path, count } = workerData as { base: string; path: string; count: number };

// Keeps listening, because sockets that are not read would not keep the thread alive.
parentPort?.on('message', () => {
  const stalled = Array.from({ length: count }, async () => {
    const socket = await dial(base);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'readable');
  });
  void Promise.all(stalled).then(() => parentPort?.postMessage('stalled'));
});
parentPort?.postMessage('ready');
