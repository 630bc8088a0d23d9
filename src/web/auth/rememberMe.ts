import { browserSessionCookie, endsWithBrowserKey, sessionKey } from '../../shared/deviceNames';
import { removeText, writeText } from '../browser/storage';
import { hasEndedWithBrowser } from '../server/browserSession';

/**
 * Records a login's lifetime before its session is set, because other tabs check it when notified of the session.
 * Rule: docs/rules/accounts.md, Without Remember me
 */
export function noteLifetime(isRemembered: boolean): void {
  if (hasEndedWithBrowser()) removeText(sessionKey); // otherwise the previous user would be signed in for a moment
  if (isRemembered) return clearLifetime();
  writeCookie('yes');
  writeText(endsWithBrowserKey, 'yes');
}

export function clearLifetime(): void {
  removeText(endsWithBrowserKey);
  writeCookie('; max-age=0');
}

/** It holds no user, and the server ignores it. A browser that blocks it also blocks the session cookies. */
function writeCookie(value: string): void {
  document.cookie = `${browserSessionCookie}=${value}; path=/; secure; samesite=lax`;
}
