import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port for a program that binds it later, and again after each restart. It lies below those that a system gives to whoever
 * asks for any port (from 32768 on Linux), so that no test running beside is given it meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false, // it is somebody's
    );
    server.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
