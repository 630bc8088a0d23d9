/** What the address of a database says of who comes in there, and how one connects to it. */
import type { ClientConfig } from 'pg';

/** A user of a database and its password; undefined: none, for a database that asks for none. */
export type Login = { user: string; password: string | undefined };

/** Whoever waits for a connection is told within so long that there is none. */
export const connectWithinMs = 4_000;

/** A connection of its own, with no other time limit. */
export const toDirect = (address: string): ClientConfig => ({
  connectionString: address,
  connectionTimeoutMillis: connectWithinMs,
  keepAlive: true,
});

/** As the driver reads it: behind the question mark, or before the host. */
export function loginOf(address: string): Login {
  const { username, password, searchParams } = new URL(address);
  return {
    user: searchParams.get('user') ?? decodeURIComponent(username),
    password: (searchParams.get('password') ?? decodeURIComponent(password)) || undefined,
  };
}

/** Behind the question mark, since an address without a host, of a socket, cannot have a login before it. */
export function withLogin(address: string, { user, password }: Login): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.searchParams.set('user', user);
  if (password === undefined) url.searchParams.delete('password');
  else url.searchParams.set('password', password);
  return url.href;
}

/** Whether two addresses lead to the same place, whoever comes in there. */
export function isSameAddress(one: string, other: string): boolean {
  const nobody = { user: '', password: undefined };
  return withLogin(one, nobody) === withLogin(other, nobody);
}
