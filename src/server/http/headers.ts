/** The headers that every answer carries, errors included, and the content policy of a page. */
import type { FastifyInstance } from 'fastify';

// Emotion inserts its rules through an empty style element: the hash of the empty string lets exactly that in
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/**
 * The content policy of a page: nothing but what the shop itself serves, and of inline code only those blocks whose
 * hashes are given.
 */
export const pagePolicy = (scriptHashes: readonly string[] = [], styleHashes: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `script-src ${["'self'", ...scriptHashes].join(' ')}`,
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

export function sendSafeHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers);
  });
}
