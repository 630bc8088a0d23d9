/** Chooses the shop's login for an external database. */
import { StartError } from '../../core/startError';
import { createHmac } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { loginOf, toDirect, withLogin } from '../../core/databaseUrl';
import { takeAppRole } from './appRole';
import { createAppLogin } from './appLogin';

export type Addresses = {
  /** DATABASE_URL */
  url: string;
  /** DATABASE_DIRECT_URL */
  directUrl?: string | undefined;
  /** DATABASE_APP_URL */
  appUrl?: string | undefined;
  /** SESSION_SECRET */
  secret?: string | undefined;
};

export type Chosen = {
  /** For requests. */
  url: string;
  /** For work that needs a session. */
  directUrl: string;
  ofReplica: (url: string) => string;
  warning: string | undefined;
};

/**
 * Returns the app login, or the best alternative.
 * @throws StartError naming DATABASE_APP_URL, when that login cannot be used
 */
export async function chooseLogin(addresses: Addresses, owner: ClientConfig): Promise<Chosen> {
  const { url, directUrl = url, appUrl, secret } = addresses;
  const given = appUrl === undefined ? undefined : loginOf(appUrl);
  const requests = appUrl ?? url;
  const login = await createAppLogin({
    owner,
    user: given?.user,
    password: given ? given.password : derivePassword(loginOf(directUrl).password ?? secret),
    ways: (login) => [...new Set([directUrl, requests].map((each) => withLogin(each, login)))].map(toDirect),
  });
  if (!('refused' in login)) {
    const isOwners = (address: string) => loginOf(address).user === loginOf(url).user;
    return {
      url: withLogin(requests, login),
      directUrl: withLogin(directUrl, login),
      ofReplica: (address) => (isOwners(address) ? withLogin(address, login) : address),
      warning: undefined,
    };
  }
  if (given) throw new StartError(`DATABASE_APP_URL: this login can't be used (${login.refused})`);
  const isLess = await takeAppRole(owner);
  return {
    url,
    directUrl,
    ofReplica: (address) => address,
    warning: `DATABASE_URL: the shop has no second, limited login (${login.refused}), so ${isLess ? mayTakeBack : keepsAll}`,
  };
}

const help = 'set DATABASE_APP_URL, see docs/security.md';
const mayTakeBack = `a query could regain its owner's rights: ${help}`;
const keepsAll = `every query runs with its owner's rights: ${help}`;

/**
 * Derives the same password in every process, so it is not stored anywhere; the database has only its verifier.
 * @param root the owner's password, or SESSION_SECRET
 */
const derivePassword = (root: string | undefined): string | undefined =>
  root === undefined
    ? undefined
    : createHmac('sha256', root).update('the second login of the shop').digest('base64url');
