/** The payment pages: /c/pay/:id, and /c/pay/:id/confirm for cards whose holder must confirm. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readCardForm } from './cardForm';
import { BodyTooLarge, readBody } from './exchange';
import { confirmPage, expiredPage, paidPage, payPage, refusedPage, unknownPage } from './pages';
import { pageStyleSource } from './pageStyle';
import { finishAuthentication, payWithCard, type Attempt } from './payments';
import type { Provider } from './provider';
import type { Session } from './records';
import { findSession } from './sessions';
import { NotWritten, readSettled } from './settled';
import type { Webhooks } from './webhooks';

type Parts = { provider: Provider; webhooks: Webhooks; settle: () => Promise<void> };
type Page = { status: number; html: string; session?: Session | undefined };
type Answer = Page | { redirect: string; session: Session };

const maxBodyBytes = 16 * 1024;
/** How long a payer waits for the merchant to accept the payment's event, as at the real provider. */
const notifyMerchantMs = 10_000;

export function createHostedPage(
  parts: Parts,
): (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> {
  return async (request, response, url) => {
    const [, id = '', confirm] = /^\/c\/pay\/([^/]+)(\/confirm)?$/.exec(url.pathname) ?? [];
    const isConfirm = confirm !== undefined;
    let answer: Answer;
    if (request.method === 'POST') {
      const body = await readBody(request, response, maxBodyBytes).catch(onTooLarge);
      answer = body === undefined ? tooLarge : await post(parts, id, isConfirm, body).catch(onNotWritten);
    } else if (request.method === 'GET' || request.method === 'HEAD') {
      answer = await readSettled(parts.settle, () => show(parts.provider, id, isConfirm)).catch(onNotWritten);
    } else {
      response.setHeader('Allow', 'GET, HEAD, POST');
      answer = {
        status: 405,
        html: refusedPage('Not available', 'This page only shows and accepts the payment form.'),
      };
    }
    await parts.settle();
    send(request, response, answer);
  };
}

const tooLarge: Page = {
  status: 413,
  html: refusedPage("That's too long", 'The form was too long. Shorten what you entered and try again.'),
};

const notWritten: Page = {
  status: 503,
  html: refusedPage(
    'Payments are down right now',
    "We couldn't save your payment, and your card wasn't charged. Try again in a few minutes.",
  ),
};

/** The page that the session's URL shows now. */
function show(provider: Provider, id: string, isConfirm: boolean): Answer {
  const session = findSession(provider, id);
  if (!session) return { status: 404, html: unknownPage() };
  if (session.status === 'expired') return { status: 410, html: expiredPage(provider, session), session };
  if (session.status === 'complete') {
    return { status: 200, html: paidPage(provider, session, successUrl(session)), session };
  }
  if (!isConfirm) return { status: 200, html: payPage(provider, session, lastFailure(provider, session)), session };
  if (!session.authentication) return { redirect: `/c/pay/${id}`, session };
  return { status: 200, html: confirmPage(provider, session), session };
}

/** Why the last attempt failed; the page shows this until the next attempt. */
function lastFailure({ store }: Provider, { paymentIntentId }: Session): { alert?: string } {
  const failure = paymentIntentId === null ? null : store.require('paymentIntents', paymentIntentId).failure;
  return failure ? { alert: failure.message } : {};
}

async function post(parts: Parts, id: string, isConfirm: boolean, body: string): Promise<Answer> {
  const { provider } = parts;
  if (isConfirm) {
    const answer = new URLSearchParams(body).get('answer');
    const known = answer === 'complete' || answer === 'fail' ? answer : 'cancel';
    return afterAttempt(parts, finishAuthentication(provider, id, known));
  }
  const session = findSession(provider, id);
  if (session?.status !== 'open') return afterAttempt(parts, toAttempt(session));
  const form = readCardForm(body, new Date(provider.clock.nowMs()));
  if (!form.isValid) return { status: 200, html: payPage(provider, session, form), session };
  return afterAttempt(parts, payWithCard(provider, id, form.card, form.payer));
}

/** The result for a closed session, which accepts no card. */
function toAttempt(session: Session | undefined): Attempt {
  if (!session) return { result: 'unknown' };
  return { result: session.status === 'complete' ? 'paid' : 'expired', session };
}

async function afterAttempt({ provider, webhooks, settle }: Parts, attempt: Attempt): Promise<Answer> {
  await settle().catch(() => {
    throw new NotWritten();
  });
  if (attempt.result === 'unknown') return { status: 404, html: unknownPage() };
  const { session } = attempt;
  if (attempt.result === 'expired') return { status: 410, html: expiredPage(provider, session), session };
  if (attempt.result === 'authenticate') return { redirect: `/c/pay/${session.id}/confirm`, session };
  // a declined payer is redirected to the form, which shows the reason: a reload or the back button resubmits no card
  if (attempt.result !== 'paid') return { redirect: `/c/pay/${session.id}`, session };
  if (session.completedEventId) await webhooks.sendNow(session.completedEventId, notifyMerchantMs);
  return { redirect: successUrl(session), session };
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  response.setHeader('Content-Security-Policy', contentPolicy(answer.session));
  if ('redirect' in answer) return void response.writeHead(303, { Location: answer.redirect }).end();
  response.writeHead(answer.status, { 'Content-Type': 'text/html; charset=utf-8' });
  response.end(request.method === 'HEAD' ? undefined : answer.html);
}

/** Browsers apply `form-action` to the redirect after a form too, so the shop's origin must be in it. */
function contentPolicy(session: Session | undefined): string {
  const urls = session ? [session.successUrl, session.cancelUrl].filter((url) => url !== null) : [];
  const origins = new Set(urls.map((url) => new URL(url).origin));
  const formAction = ["'self'", ...origins].join(' ');
  return `default-src 'none'; style-src ${pageStyleSource}; img-src data:; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
}

/** The merchant's URL with the session's id filled in, encoded for a Location header. */
function successUrl(session: Session): string {
  return new URL(session.successUrl.replaceAll('{CHECKOUT_SESSION_ID}', encodeURIComponent(session.id))).href;
}

function onTooLarge(error: unknown): undefined {
  if (!(error instanceof BodyTooLarge)) throw error;
}

function onNotWritten(error: unknown): Page {
  if (error instanceof NotWritten) return notWritten;
  throw error;
}
