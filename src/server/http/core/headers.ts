/** The headers of every response, errors included, and the content security policy of pages. */
import type { FastifyInstance } from 'fastify';
import { invalid } from './problems';

// Emotion inserts its rules through an empty style element, which the hash of the empty string allows
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** The origin of the payment provider's script and frames. Allowed only on /checkout, and only if a key is set. */
export const providerScripts = 'https://js.stripe.com';

/** The content security policy of a page: only the shop's own resources, and only inline blocks with the given hashes. */
export const pagePolicy = (scripts: readonly string[] = [], styleHashes: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    ...(scripts.includes(providerScripts) ? [`frame-src ${providerScripts}`] : []),
    `style-src ${["'self'", emptyStyle, ...styleHashes].join(' ')}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The service worker may only send requests to the shop. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const always = {
  'content-security-policy': apiPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
const oneYearSeconds = 31_536_000;

export const safeHeaders = (isHttps: boolean): Record<string, string> => ({
  ...always,
  ...(isHttps && { 'strict-transport-security': `max-age=${oneYearSeconds}; includeSubDomains` }),
});

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every response, for responses that bypass the framework. */
    safeHeaders: Record<string, string>;
  }
}

export function sendSafeHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.decorate('safeHeaders', headers);
  const all = Object.entries(headers);
  // added on send, so that responses that bypass the framework do not set them twice
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of all) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
}

/** Rejects a request with two Host headers: a proxy or cache may read the other one than this server does. */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders } }, reply, done) => {
    if (!namesTwoHosts(rawHeaders)) return done();
    reply.header('connection', 'close');
    done(invalid('The request names two different hosts'));
  });
}

/** @param rawHeaders alternating names and values */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
