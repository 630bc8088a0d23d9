/**
 * Forms of public pages that also work without JavaScript: the browser sends them to the page's own address, and is led
 * on, or gets the page again with what was typed and what is wrong with it.
 */
import cookies from '@fastify/cookie';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SentForm } from '../../shared/rendering';
import { describeFailure } from '../failures';
import type { Page } from './pageBytes';
import { asProblem, sendProblem } from './problems';

export type PageForm = {
  path: string;
  /** Where the browser goes when the form was taken. */
  leadsTo: string;
  /** What it may send; anything else is not read. */
  fields: readonly string[];
  /** Does what the form is for. @throws Problem with `errors` by field, as the API does */
  take: (values: Record<string, string>, request: FastifyRequest) => Promise<void>;
};
type DrawForm = (url: string, sent: SentForm) => Promise<Page | undefined>;

/** The longest message, each of its characters written as up to twelve. */
const maxBodyBytes = 96 * 1024;

export function takePageForm(app: FastifyInstance, form: PageForm, draw: DrawForm) {
  return app.register(async (scope) => {
    await scope.register(cookies); // to know who is signed in
    scope.removeAllContentTypeParsers();
    const type = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    scope.post(form.path, async (request, reply) => {
      const sent = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const values = Object.fromEntries(form.fields.map((field) => [field, sent.get(field) ?? '']));
      try {
        await form.take(values, request);
      } catch (error) {
        return drawAgain(request, reply, values, error as FastifyError);
      }
      return reply.redirect(form.leadsTo, 303);
    });
  });

  async function drawAgain(
    request: FastifyRequest,
    reply: FastifyReply,
    values: Record<string, string>,
    error: FastifyError,
  ): Promise<FastifyReply> {
    const problem = asProblem(error);
    if (problem.status >= 500) request.log.error({ failure: describeFailure(error) }, 'a form could not be taken');
    if (problem.status === 403) return sendProblem(request, reply, problem); // another site sent it, not our reader
    const { errors = [], retryAfterSeconds } = problem.extras;
    const failure = errors.length > 0 ? undefined : problem.message;
    const page = await draw(form.path, { values, errors, failure }).catch(() => undefined);
    if (!page) return sendProblem(request, reply, problem);
    if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
    // the page has what one person typed: it must not be cached
    return reply.code(problem.status).headers(page.headers).header('cache-control', 'no-store').send(page.body);
  }
}
