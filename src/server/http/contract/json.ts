import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { errorMessages } from '../../../shared/errorMessages';
import { nestsTooDeep } from './bodyLimits';
import { invalid } from '../core/problems';

export type CheckBytes = (bytes: Buffer, headers: IncomingHttpHeaders) => void;

/**
 * Accepts JSON as the only parsed body besides multipart. Rejects __proto__ and constructor keys and deep nesting, and
 * treats an empty body as none. Keeps the raw bytes for signature checks.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    request.rawBody = bytes;
    const rejection = findError(request, bytes);
    if (rejection) done(rejection);
    else if (bytes.length === 0) done(null, undefined);
    else if (nestsTooDeep(bytes)) done(invalid(errorMessages.unreadable));
    else void parse(request, bytes.toString('utf8'), done);
  });
}

function findError({ routeOptions, headers }: FastifyRequest, bytes: Buffer): Error | undefined {
  try {
    routeOptions.config.checkBytes?.(bytes, headers);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    rawBody?: Buffer;
  }
  interface FastifyContextConfig {
    /** Throws to reject a body before it is parsed. */
    checkBytes?: CheckBytes | undefined;
  }
}
