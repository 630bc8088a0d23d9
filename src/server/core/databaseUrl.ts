/** The login in a database URL, and how to connect with it. */
import type { ClientConfig } from 'pg';

/** A database user. The password is undefined for a database that requires none. */
export type Login = { user: string; password: string | undefined };

/** The time limit for a new connection. */
export const connectWithinMs = 4_000;

/** A dedicated connection without any other time limit. */
export const toDirect = (address: string): ClientConfig => ({
  connectionString: address,
  connectionTimeoutMillis: connectWithinMs,
  keepAlive: true,
});

/** Like the driver, reads the login from the query or from before the host. */
export function loginOf(address: string): Login {
  const { username, password, searchParams } = new URL(address);
  return {
    user: searchParams.get('user') ?? decodeURIComponent(username),
    password: (searchParams.get('password') ?? decodeURIComponent(password)) || undefined,
  };
}

/** Puts the login into the query, since a socket URL without a host cannot have one before it. */
export function withLogin(address: string, { user, password }: Login): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  url.searchParams.set('user', user);
  if (password === undefined) url.searchParams.delete('password');
  else url.searchParams.set('password', password);
  return url.href;
}

/** Whether two URLs lead to the same database, regardless of the login. */
export function isSameAddress(one: string, other: string): boolean {
  const nobody = { user: '', password: undefined };
  return withLogin(one, nobody) === withLogin(other, nobody);
}
