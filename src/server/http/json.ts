import type { FastifyInstance } from 'fastify';
import { refusals } from '../../shared/refusals';
import { nestsTooDeep } from './bodyLimits';
import { invalid } from './problems';

/**
 * JSON is the only body that is parsed (multipart apart): no __proto__ or constructor tricks, no deep nesting, and an
 * empty body is no body. The exact bytes are kept where a signature is made over them.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    request.rawBody = bytes;
    if (bytes.length === 0) done(null, undefined);
    else if (nestsTooDeep(bytes)) done(invalid(refusals.unreadable));
    else void parse(request, bytes.toString('utf8'), done);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    rawBody?: Buffer;
  }
}
