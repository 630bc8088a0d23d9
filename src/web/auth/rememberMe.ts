import { browserSessionCookie, endsWithBrowserKey, sessionKey } from '../../shared/deviceNames';
import { removeText, writeText } from '../browser/storage';
import { hasEndedWithBrowser } from '../server/browserSession';

/**
 * Notes how long a login lasts, before its session is set: other tabs hear of that and look here.
 * Rule: docs/rules/accounts.md, Without Remember me
 */
export function noteLifetime(isRemembered: boolean): void {
  if (hasEndedWithBrowser()) removeText(sessionKey); // else the user before would be signed in for a moment
  if (isRemembered) return clearLifetime();
  writeCookie('yes');
  writeText(endsWithBrowserKey, 'yes');
}

export function clearLifetime(): void {
  removeText(endsWithBrowserKey);
  writeCookie('; max-age=0');
}

/** It names nobody, and the server does not look at it. A browser that refuses it refuses the session's cookies, too. */
function writeCookie(value: string): void {
  document.cookie = `${browserSessionCookie}=${value}; path=/; secure; samesite=lax`;
}
