/** The headers that every answer carries, errors included, and the content policy of a page. */
import type { FastifyInstance } from 'fastify';
import { invalid } from './problems';

// Emotion inserts its rules through an empty style element: the hash of the empty string lets exactly that in
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** Where the payment provider's own script comes from, with its frames: named on /checkout only, and only with a key. */
export const providerScripts = 'https://js.stripe.com';

/**
 * The content policy of a page: nothing but what the shop itself serves, and of inline code only those blocks whose
 * hashes are given.
 */
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

/** What the service worker itself may do: ask the shop. */
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
    /** What every answer carries, for those that are sent past the framework. */
    safeHeaders: Record<string, string>;
  }
}

export function sendSafeHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.decorate('safeHeaders', headers);
  const all = Object.entries(headers);
  // last, so that what is sent past the framework does not pay for them twice
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const [name, value] of all) if (!reply.hasHeader(name)) reply.header(name, value);
    done();
  });
}

/** A request that names two hosts is two requests to whoever reads the other one: a proxy, a cache. */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw: { rawHeaders } }, reply, done) => {
    if (!namesTwoHosts(rawHeaders)) return done();
    reply.header('connection', 'close');
    done(invalid('The request names two hosts'));
  });
}

/** @param rawHeaders names and values in turn */
export function namesTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
