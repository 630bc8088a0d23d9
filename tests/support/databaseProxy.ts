/** A proxy to the database that can stop forwarding without closing, like a hanging network or disk. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { ClientConfig } from 'pg';

export type Wire = Awaited<ReturnType<typeof openWire>>;

export async function openWire(to: ClientConfig) {
  const target = targetOf(to);
  let isSilent = false;
  const waiting: (() => void)[] = [];
  const ends = new Set<Socket>();
  const forward = (from: Socket, onto: Socket) => {
    ends.add(from);
    from.on('data', (bytes) => {
      const pass = () => void onto.write(bytes);
      if (isSilent) waiting.push(pass);
      else pass();
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      ends.delete(from);
      onto.destroy();
    });
  };
  const server = createServer((near) => {
    const far = connect(target);
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** The same database, through this proxy. */
    reach({ connectionString, ...config }: ClientConfig): ClientConfig {
      if (!connectionString) return { ...config, host: '127.0.0.1', port };
      const url = new URL(connectionString);
      url.host = `127.0.0.1:${port}`;
      return { ...config, connectionString: url.href };
    },
    fallSilent() {
      isSilent = true;
    },
    speakAgain() {
      isSilent = false;
      for (const pass of waiting.splice(0)) pass();
    },
    close() {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}

/** The name of PostgreSQL's socket contains its port. */
function targetOf({ connectionString, host = 'localhost', port = 5432 }: ClientConfig) {
  if (!connectionString) return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const url = new URL(connectionString);
  return { host: url.hostname, port: Number(url.port || 5432) };
}
