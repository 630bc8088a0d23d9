/**
 * Calls the shop with retries: without an answer, or with an answer of 500 and more, the same call is sent again with
 * the same Idempotency-Key. So each call ends in a definite answer, and its effect happened exactly once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from './random';

export type Answer = { status: number; code: string | undefined; message: string; data: Record<string, never> };
export type Call = { method?: string; path: string; body?: object; form?: Record<string, string | Blob>; key?: string };
export type Login = { email: string; password: string };
/** The failures that all callers of a chaos run saw. */
export type Seen = {
  calls: number;
  /** Calls that lost their connection, and answers of 500 and more, by status. */
  cuts: number;
  failures: Record<string, number>;
  /** Sessions that ended without a reason. */
  lostSessions: number;
};
export type Caller = { call: (call: Call) => Promise<Answer>; refresh: () => Promise<void>; userId: string };

const givesUpAfterMs = 90_000;
/** So that those who were cut off together do not all come back together. */
const jitter = createRandom(1);

export const newSeen = (): Seen => ({ calls: 0, cuts: 0, failures: {}, lostSessions: 0 });

/** Logs in and stays logged in: an expired access token is refreshed. */
export async function logIn(url: string, login: Login, seen: Seen): Promise<Caller> {
  let tokens = await begin();
  let refreshing: Promise<void> | undefined;
  return { call, refresh, userId: tokens.userId };

  async function call(asked: Call): Promise<Answer> {
    const answer = await untilAnswered(url, asked, seen, tokens.jwt);
    if (answer.status !== 401) return answer;
    await refresh();
    return untilAnswered(url, asked, seen, tokens.jwt);
  }

  /** Once for all calls in flight. */
  function refresh(): Promise<void> {
    return (refreshing ??= renew().finally(() => (refreshing = undefined)));
  }

  async function renew(): Promise<void> {
    const { refreshToken } = tokens;
    const answer = await untilAnswered(url, { path: '/auth/refresh-token', body: { refreshToken } }, seen);
    if (answer.status === 200) {
      tokens = readTokens(answer);
      return;
    }
    seen.lostSessions++;
    tokens = await begin();
  }

  async function begin() {
    const answer = await untilAnswered(url, { path: '/auth/login', body: { ...login, rememberMe: true } }, seen);
    if (answer.status !== 200) throw new Error(`${login.email} could not log in: ${answer.status} ${answer.code}`);
    return readTokens(answer);
  }
}

export async function untilAnswered(url: string, asked: Call, seen: Seen, token?: string): Promise<Answer> {
  for (const began = Date.now(); ; await pause(100 + jitter.below(100))) {
    const answer = await send(url, asked, token).catch(() => undefined);
    seen.calls++;
    if (!answer) seen.cuts++;
    else if (answer.status < 500) return answer;
    else {
      const kind = `${answer.status} ${answer.code}`;
      seen.failures[kind] = (seen.failures[kind] ?? 0) + 1;
    }
    if (Date.now() - began > givesUpAfterMs)
      throw new Error(
        `${asked.path} had no definite answer in ${givesUpAfterMs / 1000} s; the last was ${answer?.status}`,
      );
  }
}

async function send(url: string, { method = 'POST', path, body, form, key }: Call, token?: string): Promise<Answer> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(form && { body: asForm(form) }),
    signal: AbortSignal.timeout(20_000),
  });
  const { code, message = '', data } = (await response.json()) as Partial<Answer>;
  return { status: response.status, code, message, data: data ?? {} };
}

function asForm(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function readTokens({ data }: Answer) {
  const { user, jwt, refreshToken } = data['authResponse'] as unknown as {
    user: { id: string };
    jwt: string;
    refreshToken: string;
  };
  return { userId: user.id, jwt, refreshToken };
}
