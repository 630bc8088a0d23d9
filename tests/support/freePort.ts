import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port for a program that binds it later, and again after each restart. It is below the range that systems use for
 * automatic ports (from 32768 on Linux), so no parallel test gets it meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false, // the port is taken
    );
    server.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
