import { browserSessionCookie, endsWithBrowserKey } from '../../shared/deviceNames';
import { attempt } from '../browser/attempt';
import { readText } from '../browser/storage';

/**
 * A login without Remember me ends when the browser closes, and so does its data on the device. A localStorage mark
 * records such a login; a session cookie, shared by all tabs, exists until the browser closes. (sessionStorage wouldn't
 * do: each tab has its own.) A browser that restores its last session also restores this cookie, and the login
 * continues.
 * Rule: docs/rules/accounts.md, Without Remember me
 */
export const hasEndedWithBrowser = (): boolean =>
  readText(endsWithBrowserKey) !== undefined && !attempt(() => document.cookie.includes(browserSessionCookie));
