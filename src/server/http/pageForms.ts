/**
 * Forms of public pages that also work without JavaScript: the browser sends them to the page's own address, and is led
 * on, or gets the page again with what was typed and what is wrong with it.
 */
import cookies from '@fastify/cookie';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SentForm } from '../../shared/rendering';
import { isTooManyWaiting } from '../db/errors';
import { describeFailure } from '../failures';
import type { Budgets } from './budgets';
import type { Page } from './pageBytes';
import { asProblem, sendProblem, type Problem } from './problems';

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

/** @param budgets of the caller: without, anybody could take all of the shop's connections by sending forms */
export function takePageForm(
  app: FastifyInstance,
  form: PageForm,
  { draw, budgets }: { draw: DrawForm; budgets: Pick<Budgets, 'draw'> },
) {
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
      const refusal = await budgets.draw(request, () => takeOrDraw(request, values), form.path);
      if (!refusal) return reply.redirect(form.leadsTo, 303);
      return sendRefusal(request, reply, refusal);
    });
  });

  /** @returns why it was not taken, undefined when it was */
  async function takeOrDraw(request: FastifyRequest, values: Record<string, string>): Promise<Refusal | undefined> {
    try {
      await form.take(values, request);
      return undefined;
    } catch (error) {
      const problem = asProblem(error as FastifyError);
      if (problem.status >= 500) request.log.error({ failure: describeFailure(error) }, 'a form could not be taken');
      // another site sent it, not our reader; or too much is asked already
      if (problem.status === 403 || isTooManyWaiting(error)) return { problem, page: undefined };
      const { errors = [] } = problem.extras;
      const failure = errors.length > 0 ? undefined : problem.message;
      return { problem, page: await draw(form.path, { values, errors, failure }).catch(() => undefined) };
    }
  }
}

type Refusal = { problem: Problem; page: Page | undefined };

function sendRefusal(request: FastifyRequest, reply: FastifyReply, { problem, page }: Refusal): FastifyReply {
  if (!page) return sendProblem(request, reply, problem);
  const { retryAfterSeconds } = problem.extras;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  // the page has what one person typed: it must not be cached
  return reply.code(problem.status).headers(page.headers).header('cache-control', 'no-store').send(page.body);
}
