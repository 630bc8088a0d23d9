/**
 * Forms of public pages that also work without JavaScript: the browser sends them to the page's own address, and is led
 * on, or gets the page again with what was typed and what is wrong with it.
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
  /** What it may send; anything else is not read. */
  fields: readonly string[];
  /** Those that are written into no page: passwords and codes. */
  secrets?: readonly string[];
  /** It is done by a call of the API, and counted as that call alone. */
  isCall?: true;
  /**
   * Does what the form is for.
   * @returns the path of the shop where the browser goes then
   * @throws Problem with `errors` by field, as the API does
   */
  take: (sent: Sent) => Promise<string>;
};
export type Sent = {
  values: Record<string, string>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** The page of the shop that led to this one. */
  redirect: string | undefined;
  call: RequestFor;
};
type Parts = {
  draw: (request: FastifyRequest, url: string, sent: SentForm) => Promise<PlainResponse | undefined>;
  locate: Rendering['locate'];
  /** Of the caller: without, anybody could take all of the shop's connections by sending forms. */
  rateLimits: Pick<RateLimits, 'draw'>;
};

/** The longest message, each of its characters written as up to twelve. */
const maxBodyBytes = 96 * 1024;

export function takePageForm(app: FastifyInstance, form: PageForm, { draw, locate, rateLimits }: Parts) {
  return app.register(async (scope) => {
    await scope.register(cookies); // to know who is signed in
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
        if ('leadsTo' in taken) return leadOn(reply, taken.leadsTo);
        const drawn = taken.isShown ? await within(() => renderAgain(taken.problem)).catch(() => undefined) : undefined;
        return sendError(request, reply, taken.problem, drawn);
      }
      const { taken, drawn } = await within(async () => {
        const done = await take();
        return { taken: done, drawn: 'isShown' in done && done.isShown ? await renderAgain(done.problem) : undefined };
      });
      return 'leadsTo' in taken ? leadOn(reply, taken.leadsTo) : sendError(request, reply, taken.problem, drawn);
    });
  });

  async function tryToTake(sent: Sent): Promise<{ leadsTo: string } | { problem: Problem; isShown: boolean }> {
    try {
      return { leadsTo: await form.take(sent) };
    } catch (error) {
      const problem = asProblem(error as FastifyError);
      if (problem.status >= 500)
        sent.request.log.error({ failure: describeFailure(error) }, 'a form could not be taken');
      // another site sent it, not our reader; or too much is asked already
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

/** @param path of the shop; what a header cannot hold of it is encoded, and nothing else */
const leadOn = (reply: FastifyReply, path: string): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect(path.replace(/[^\x21-\x7e]+/gu, encodeURIComponent), 303);

function sendError(request: FastifyRequest, reply: FastifyReply, problem: Problem, page?: PlainResponse): FastifyReply {
  if (!page) return sendProblem(request, reply, problem);
  const { retryAfterSeconds } = problem.extras;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  // the page has what one person typed: it must not be cached
  return reply.code(problem.status).headers(page.headers).header('cache-control', 'no-store').send(page.body);
}
