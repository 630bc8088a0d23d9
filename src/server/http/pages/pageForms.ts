/**
 * Forms of public pages that also work without JavaScript. The browser posts them to the page's own URL and is redirected,
 * or gets the page again with the entered values and the errors.
 */
import cookies from '@fastify/cookie';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ownPath } from '../../../shared/auth';
import type { Rendering, SentForm } from '../../../shared/rendering';
import { isTooManyWaiting } from '../../db/core/errors';
import { describeFailure } from '../../db/core/loggedErrors';
import type { RateLimits } from '../limits/rateLimits';
import { requestFor, type RequestFor } from '../contract/internalRequest';
import type { PlainResponse } from '../cache/cachedResponse';
import { asProblem, sendProblem, type Problem } from '../core/problems';

export type PageForm = {
  path: string;
  /** The accepted fields; others are ignored. */
  fields: readonly string[];
  /** Fields that are never written into a page: passwords and codes. */
  secrets?: readonly string[];
  /** Handled by one API call, and counted only by that call's rate limit. */
  isCall?: true;
  /**
   * Handles the form.
   * @returns the path to redirect to
   * @throws Problem with `errors` by field, as the API does
   */
  take: (sent: Sent) => Promise<string>;
};
export type Sent = {
  values: Record<string, string>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The shop's page that linked to this one. */
  redirect: string | undefined;
  call: RequestFor;
};
type Parts = {
  draw: (request: FastifyRequest, url: string, sent: SentForm) => Promise<PlainResponse | undefined>;
  locate: Rendering['locate'];
  /** The sender's limits: without them, a flood of forms could take all database connections. */
  rateLimits: Pick<RateLimits, 'draw'>;
};

/** The longest message, with up to twelve bytes per URL-encoded character. */
const maxBodyBytes = 96 * 1024;

export function takePageForm(app: FastifyInstance, form: PageForm, { draw, locate, rateLimits }: Parts) {
  return app.register(async (scope) => {
    await scope.register(cookies); // for the session
    scope.removeAllContentTypeParsers();
    const type = 'application/x-www-form-urlencoded';
    scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    scope.post(form.path, async (request, reply) => {
      const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const values = Object.fromEntries(form.fields.map((field) => [field, body.get(field) ?? '']));
      const { url } = locate(request.url);
      const redirect = ownPath(new URL(url, 'http://localhost').searchParams.get('redirect'));
      const call = requestFor(app, request, reply);
      const within = <T>(work: () => Promise<T>) => rateLimits.draw(request, work);
      const take = () => tryToTake({ values, request, reply, redirect, call });
      const renderAgain = (refused: Problem) =>
        draw(request, url, sentFormOf(form, values, refused)).catch(() => undefined);
      if (form.isCall) {
        const taken = await take();
        if ('redirectPath' in taken) return redirectTo(reply, taken.redirectPath);
        const drawn = taken.isShown ? await within(() => renderAgain(taken.problem)).catch(() => undefined) : undefined;
        return sendError(request, reply, taken.problem, drawn);
      }
      const { taken, drawn } = await within(async () => {
        const done = await take();
        return { taken: done, drawn: 'isShown' in done && done.isShown ? await renderAgain(done.problem) : undefined };
      });
      return 'redirectPath' in taken
        ? redirectTo(reply, taken.redirectPath)
        : sendError(request, reply, taken.problem, drawn);
    });
  });

  async function tryToTake(sent: Sent): Promise<{ redirectPath: string } | { problem: Problem; isShown: boolean }> {
    try {
      return { redirectPath: await form.take(sent) };
    } catch (error) {
      const problem = asProblem(error as FastifyError);
      if (problem.status >= 500)
        sent.request.log.error({ failure: describeFailure(error) }, 'a form submission failed');
      // no page if another site sent the form, or if the shop is overloaded
      return { problem, isShown: problem.status !== 403 && !isTooManyWaiting(error) };
    }
  }
}

function sentFormOf({ path, secrets = [] }: PageForm, values: Record<string, string>, refused: Problem): SentForm {
  const { errors = [] } = refused.extras;
  return {
    path,
    values: Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field))),
    errors,
    failure: errors.length > 0 ? undefined : refused.message,
    code: refused.code,
  };
}

/** @param path of the shop; only characters that a header cannot hold are encoded */
const redirectTo = (reply: FastifyReply, path: string): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect(path.replace(/[^\x21-\x7e]+/gu, encodeURIComponent), 303);

function sendError(request: FastifyRequest, reply: FastifyReply, problem: Problem, page?: PlainResponse): FastifyReply {
  if (!page) return sendProblem(request, reply, problem);
  const { retryAfterSeconds } = problem.extras;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  // the page contains what a person entered, so it must not be cached
  return reply.code(problem.status).headers(page.headers).header('cache-control', 'no-store').send(page.body);
}
