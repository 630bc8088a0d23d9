import type { QueryClient } from '@tanstack/react-query';
import type { AnswerOf } from '../../shared/contract';
import { formLoginCookie, owedLogoutKey, sessionRefreshLock } from '../../shared/deviceNames';
import { withLock } from '../browser/locks';
import { removeText } from '../browser/storage';
import { addIntentions } from '../cart/queries';
import { post, sendProven } from '../server/send';
import { rereadSession } from '../server/session';
import { beginSession } from './beginSession';

/**
 * Completes a login that was submitted as a plain form, before the page's scripts had loaded. The session cookies are
 * set; a refresh returns the user and binds the session to this browser's key, as the app's login does. Only one tab
 * does it.
 * Rule: docs/rules/accounts.md, Forms without JavaScript
 */
export function takeFormLogin(cache: QueryClient): Promise<void> {
  return withLock(sessionRefreshLock, async () => {
    const lifetime = findCookie();
    if (!lifetime) return rereadSession(); // another tab was first
    removeText(owedLogoutKey); // the form's login ended the previous session
    const response = await sendProven(post('/auth/refresh-token'));
    if (!response.ok && response.status !== 401) return undefined; // the next page tries again
    document.cookie = `${formLoginCookie}=; path=/; secure; max-age=0`;
    if (!response.ok) return undefined;
    const { data } = (await response.json()) as AnswerOf<'refreshToken'>;
    beginSession(data.authResponse, lifetime === 'remembered');
    return addIntentions(cache, data.authResponse.user.id);
  });
}

const findCookie = (): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${formLoginCookie}=`))
    ?.slice(formLoginCookie.length + 1);
