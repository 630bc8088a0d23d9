/**
 * The test provider by itself, killed repeatedly while it gets calls of every kind. After each start everything that it
 * confirmed is there, a lost answer is given again under its key, its books agree, and the merchant gets every event.
 * Rule: docs/rules/failures.md, Crashes and storage
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { launchProvider, type ProviderOptions } from './provider';
import { end } from './processes';
import { createRandom, type Random } from './random';
import { findFreePort } from '../support/freePort';

export type ProviderKills = { kills: number; confirmed: number; events: number; wrong: string[] };
type Options = { program: string; dataDir: string; kills: number; seed: number };

type Book = {
  sessions: { id: string; status: string; payment_intent: string | null; amount_total: number }[];
  charges: { payment_intent: string; paid: boolean; amount: number; amount_refunded: number }[];
  refunds: { id: string; payment_intent: string; amount: number }[];
  events: { id: string; type: string; data: { object: { id: string } } }[];
  deliveries: { id: string; state: string }[];
};
type Session = { id: string; key: string; seen?: 'paid' | 'expired' };

const workers = 6;
const deliveredWithinMs = 60_000;

export async function runProviderKills({ program, dataDir, kills, seed }: Options): Promise<ProviderKills> {
  const merchant = await openMerchant();
  const options: ProviderOptions = { program, dataDir, port: await findFreePort(), webhookUrl: merchant.url };
  let provider = await launchProvider(options);
  const random = createRandom(seed);
  const clients = Array.from({ length: workers }, () => createClient(random, () => provider));
  const totals: ProviderKills = { kills: 0, confirmed: 0, events: 0, wrong: [] };
  try {
    while (totals.kills < kills) {
      const work = { goesOn: true };
      const working = clients.map(async ({ act }) => {
        while (work.goesOn) await act();
      });
      await pause(20 + random.below(100));
      await end(provider.child, 'SIGKILL');
      totals.kills++;
      provider = await launchProvider({ ...options, keys: provider.keys, token: provider.token });
      work.goesOn = false;
      await Promise.all(working);
      totals.wrong.push(...findWrong(await provider.book<Book>(), clients));
    }
    const heard = async () => (await provider.book<Book>()).deliveries.every(({ state }) => state === 'delivered');
    for (const until = Date.now() + deliveredWithinMs; !(await heard()) && Date.now() < until; await pause(50))
      await provider.control('POST', 'clock', { advanceMs: 6_000 });
    const { events } = await provider.book<Book>();
    for (const { id } of events) if (!merchant.heard.has(id)) totals.wrong.push(`nobody heard of the event ${id}`);
    totals.events = events.length;
    totals.confirmed = clients.reduce((sum, { confirmed }) => sum + confirmed(), 0);
    return totals;
  } finally {
    await end(provider.child, 'SIGKILL');
    await merchant.close();
  }
}

type Client = ReturnType<typeof createClient>;
type Running = () => Awaited<ReturnType<typeof launchProvider>>;

/** Retries under the same key until there is an answer, so every noted answer must be in the books exactly once. */
function createClient(random: Random, provider: Running) {
  const sessions: Session[] = [];
  const refunds: string[] = [];
  let confirmed = 0;
  return { act, sessions, refunds, confirmed: () => confirmed };

  async function act(): Promise<void> {
    const choice = random.next();
    const session = sessions.findLast(({ seen }) => seen === undefined);
    if (!session || choice < 0.4) return create();
    if (choice < 0.7) return finish(session, 'pay', 'paid');
    if (choice < 0.8) return finish(session, 'expire', 'expired');
    if (choice < 0.9) return refund();
    return void (await untilAnswered(() => provider().control('POST', 'decline', { session: session.id })));
  }

  async function create(): Promise<void> {
    const key = randomUUID();
    const { id } = await post<{ id: string }>('/v1/checkout/sessions', key, newSession);
    sessions.push({ id, key });
    confirmed++;
  }

  async function finish(session: Session, action: 'pay' | 'expire', seen: 'paid' | 'expired'): Promise<void> {
    await untilAnswered(() => provider().control('POST', action, { session: session.id }));
    session.seen = seen;
    confirmed++;
  }

  async function refund(): Promise<void> {
    const paid = sessions.findLast(({ seen }) => seen === 'paid');
    if (!paid) return;
    const { payment_intent: intent } = await untilAnswered(() => provider().get<Book['sessions'][number]>(paid.id));
    const { id } = await post<{ id?: string }>('/v1/refunds', randomUUID(), {
      payment_intent: intent ?? '',
      amount: '1',
    });
    if (id) refunds.push(id); // no id: everything was refunded already
    confirmed++;
  }

  function post<Answer>(path: string, key: string, form: Record<string, string>): Promise<Answer> {
    return untilAnswered(() => provider().post<Answer>(path, key, form));
  }
}

const newSession = {
  mode: 'payment',
  success_url: 'http://localhost:3000/payment/success',
  'line_items[0][quantity]': '2',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '450',
  'line_items[0][price_data][product_data][name]': 'Black pepper',
};

async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const began = Date.now(); ; await pause(10)) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() - began > 20_000) throw error;
    }
  }
}

function findWrong(book: Book, clients: readonly Client[]): string[] {
  const wrong: string[] = [];
  const sessions = new Map(book.sessions.map((session) => [session.id, session]));
  const asked = clients.flatMap((client) => client.sessions);
  if (book.sessions.length !== asked.length)
    wrong.push(`${asked.length} sessions were confirmed, ${book.sessions.length} are there`);
  for (const { id, seen } of asked) {
    const status = sessions.get(id)?.status;
    const expected = seen === undefined ? 'open' : seen === 'paid' ? 'complete' : 'expired';
    if (status !== expected) wrong.push(`the session ${id} was ${expected} and is ${status}`);
  }
  const known = new Set(book.refunds.map(({ id }) => id));
  for (const id of clients.flatMap((client) => client.refunds))
    if (!known.has(id)) wrong.push(`the refund ${id} is gone`);
  for (const session of book.sessions) wrong.push(...findWrongPayment(book, session));
  const delivered = new Set(book.deliveries.map(({ id }) => id));
  for (const { id } of book.events) if (!delivered.has(id)) wrong.push(`nobody is told of the event ${id}`);
  return wrong;
}

/** Expects one charge of the right amount with its event, and never more refunds than were paid. */
function findWrongPayment({ charges, refunds, events }: Book, session: Book['sessions'][number]): string[] {
  const notified = events.filter(
    ({ type, data }) => type === 'checkout.session.completed' && data.object.id === session.id,
  );
  if (session.status !== 'complete') return notified.length === 0 ? [] : [`the session ${session.id} is told as paid`];
  const paid = charges.filter((charge) => charge.payment_intent === session.payment_intent && charge.paid);
  const [charge] = paid;
  const back = refunds.filter((refund) => refund.payment_intent === session.payment_intent);
  const sum = back.reduce((total, { amount }) => total + amount, 0);
  const isRight =
    paid.length === 1 &&
    notified.length === 1 &&
    charge?.amount === session.amount_total &&
    charge.amount_refunded === sum &&
    sum <= charge.amount;
  return isRight
    ? []
    : [`the session ${session.id}: ${paid.length} charges, ${notified.length} events, ${sum} given back`];
}

async function openMerchant() {
  const heard = new Set<string>();
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      heard.add((JSON.parse(body) as { id: string }).id);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    heard,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
