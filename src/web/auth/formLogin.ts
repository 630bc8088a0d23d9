import type { QueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../../shared/contract';
import { formLoginCookie, owedLogoutKey, sessionRefreshLock } from '../../shared/deviceNames';
import { withLock } from '../browser/locks';
import { removeText } from '../browser/storage';
import { addIntentions } from '../cart/queries';
import { post, sendProven } from '../server/send';
import { readSessionAgain } from '../server/session';
import { beginSession } from './beginSession';

/**
 * Somebody has logged in here by the form of a page whose scripts had not come. The session cookies are there; a refresh
 * says whose they are, and binds the session to this browser's key, as a login of the app does. One tab does it.
 * Rule: docs/rules/accounts.md, Forms without JavaScript
 */
export function takeFormLogin(cache: QueryClient): Promise<void> {
  return withLock(sessionRefreshLock, async () => {
    const lasts = findCookie();
    if (!lasts) return readSessionAgain(); // another tab was first
    removeText(owedLogoutKey); // that login ended the session before it
    const response = await sendProven(post('/auth/refresh-token'));
    if (!response.ok && response.status !== 401) return undefined; // the next page asks again
    document.cookie = `${formLoginCookie}=; path=/; secure; max-age=0`;
    if (!response.ok) return undefined;
    const { data } = (await response.json()) as AnswerOf<'refreshToken'>;
    beginSession(data.authResponse, lasts === 'remembered');
    return addIntentions(cache, data.authResponse.user.id);
  });
}

const findCookie = (): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${formLoginCookie}=`))
    ?.slice(formLoginCookie.length + 1);
