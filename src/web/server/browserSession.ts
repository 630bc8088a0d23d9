import { browserSessionCookie, endsWithBrowserKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { readText } from '../browser/storage';

/**
 * A login without Remember me ends with the browser, as its cookies do, and so does what it left on the device. A mark in
 * localStorage says that the login was such a one; a session cookie, which all tabs see, says that the browser has not been
 * closed since. (sessionStorage would not do: each tab has its own.) A browser that restores its last session brings back
 * this cookie with the others, and the login goes on.
 * Rule: docs/rules/accounts.md, Without Remember me
 */
export const hasEndedWithBrowser = (): boolean =>
  readText(endsWithBrowserKey) !== undefined && !attempt(() => document.cookie.includes(browserSessionCookie));
