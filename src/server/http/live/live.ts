/**
 * Live events (server-sent events): tells open pages what to refetch.
 *
 * Guarantee: every listener concerned is notified of a committed change, in this process immediately and in others within
 * a moment, or its stream ends; a client that reconnects refetches everything. No event precedes its commit.
 * - Changes to users' own data arrive on the change bus (channel `own`). They go to the other processes in batches, by a
 *   separate NOTIFY after the commit: a NOTIFY inside the transaction would serialize all commits of the shop.
 * - Staff are notified of all orders, with several changes combined.
 * - Catalog changes come from the database, which notifies every process.
 * - A stream ends with its session, after an hour (reconnecting checks access again), when its client reads too slowly, and
 *   when the database connection was lost for a while, since events may have been missed.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LiveData, OwnChange } from '../../../shared/live';
import type { ChangeBus } from '../../db/core/changeBus';
import { factsChange, type LiveChange } from '../../db/core/changes';
import { outsideRequests } from '../../db/core/fairPool';
import type { Db } from '../../db/core/transact';
import type { Session } from '../contract/access';
import { networkOf } from '../core/network';
import { tooManyRequests, unavailable } from '../core/problems';

export type LiveParts = {
  db: Db;
  bus: ChangeBus;
  /** The build id of the browser app. */
  build: string;
  /** The latest position of the catalog's change feed. */
  findPosition: () => Promise<number>;
};
export type Live = {
  /** Turns the reply into a stream. @throws Problem 429 too_many_streams, 503 unavailable */
  open: (request: FastifyRequest, reply: FastifyReply, session: Session | undefined) => FastifyReply;
  /** Ends all streams and rejects new ones. */
  close: () => Promise<void>;
};

type Stream = { out: ServerResponse; session: Session | undefined; owners: Owner[] };
/** A key that a stream counts toward, and its limit. The most specific comes first. */
type Owner = { key: string; most: number };

/** A browser opens at most six connections to a host, and few people use more than a phone and a desktop. */
export const streamLimits = { ofSession: 6, ofUser: 8, ofNetwork: 300, ofVisitorsOfNetwork: 30 };
const maxVisitors = 1_000;
const maxSignedIn = 2_000;
const keepAliveEveryMs = 25_000; // below the 30 s after which the server, like many proxies, closes an idle connection
const maxAgeMs = 3_600_000;
const maxUnsentBytes = 16 * 1024;
const notifyOthersAfterMs = 50;
const notifyStaffAfterMs = 200;
const readPositionAfterMs = 100;
const maxInMessage = 95; // changes in one NOTIFY, which holds 8000 bytes; a paid order takes 79 with its comma

export function openLive({ db, bus, build, findPosition }: LiveParts): Live {
  const streams = createStreams();
  const own = notifyUserChanges(streams, bus, db);
  notifyCatalogChanges(streams, bus, findPosition);
  bus.on('session_ended', (familyId) => streams.end(({ session }) => session?.familyId === familyId));
  bus.onConnected(() => streams.end(() => true));
  const keepAlive = setInterval(streams.keepAlive, keepAliveEveryMs);
  keepAlive.unref();
  let isClosing = false;

  return {
    open(request, reply, session) {
      const owners = ownersOf(session, networkOf(request.ip));
      if (isClosing) throw unavailable();
      streams.requireSpace(session, owners);
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
      reply.hijack();
      if (reply.raw.destroyed) return reply; // the client has disconnected, so no close event would decrement the counts
      const stream: Stream = { out: reply.raw, session, owners };
      streams.add(stream);
      const set = reply.getHeaders() as Record<string, string>;
      stream.out.writeHead(200, { ...reply.server.safeHeaders, ...set, ...streamHeaders });
      // spreads reconnects if this process ends
      stream.out.write(`retry: ${1000 + Math.floor(Math.random() * 4000)}\n`);
      send(stream, 'hello', { build, userId: session?.userId ?? null });
      return reply;
    },
    async close() {
      isClosing = true;
      clearInterval(keepAlive);
      streams.end(() => true);
      await own.close();
    },
  };
}

type Streams = ReturnType<typeof createStreams>;

function ownersOf(session: Session | undefined, network: string): Owner[] {
  if (!session) return [{ key: `visitors ${network}`, most: streamLimits.ofVisitorsOfNetwork }];
  return [
    { key: `user ${session.userId}`, most: streamLimits.ofUser },
    { key: `session ${session.familyId}`, most: streamLimits.ofSession },
    { key: `network ${network}`, most: streamLimits.ofNetwork },
  ];
}

/** The open streams, and their number per user and network. */
function createStreams() {
  const streams = new Set<Stream>();
  const counts = new Map<string, number>(); // streams by owner key, or by kind
  const count = ({ session, owners }: Stream, step: 1 | -1) => {
    for (const key of [...owners.map((owner) => owner.key), session ? 'signed in' : 'visitors']) {
      const counted = (counts.get(key) ?? 0) + step;
      if (counted > 0) counts.set(key, counted);
      else counts.delete(key);
    }
  };

  return {
    isEmpty: () => streams.size === 0,
    /** @throws Problem 429 too_many_streams, 503 unavailable */
    requireSpace(session: Session | undefined, owners: readonly Owner[]): void {
      const kind = session ? 'signed in' : 'visitors';
      if ((counts.get(kind) ?? 0) >= (session ? maxSignedIn : maxVisitors)) throw unavailable();
      const [own] = owners; // every user gets a first stream, whatever the network's count
      const isFirst = session && own && !counts.has(own.key);
      if (isFirst || owners.every(({ key, most }) => (counts.get(key) ?? 0) < most)) return;
      throw tooManyRequests(
        60,
        'You have the shop open in too many windows. Close one and try again.',
        'too_many_streams',
      );
    },
    /** Adds the stream until the client disconnects or its maximum age is reached. */
    add(stream: Stream): void {
      const { out } = stream;
      streams.add(stream);
      count(stream, 1);
      const maxAgeTimer = setTimeout(() => out.end(), maxAgeMs);
      maxAgeTimer.unref();
      out.once('close', () => {
        clearTimeout(maxAgeTimer);
        streams.delete(stream);
        count(stream, -1);
      });
      out.on('error', () => out.destroy());
    },
    send<Name extends keyof LiveData>(wanted: (stream: Stream) => boolean, event: Name, data: LiveData[Name]): void {
      for (const stream of streams) if (wanted(stream)) send(stream, event, data);
    },
    end(unwanted: (stream: Stream) => boolean): void {
      for (const stream of streams) if (unwanted(stream)) stream.out.end();
    },
    keepAlive: () => streams.forEach(({ out }) => write(out, ':\n\n')),
  };
}

/** The event for each change. */
const eventOf: Record<LiveChange, OwnChange> = { cart: 'cart', orders: 'orders', paid: 'orders', lists: 'lists' };
const isKnown = (what: string): what is LiveChange => Object.hasOwn(eventOf, what);

/** Notifies users of their own changes, staff of all orders, and the other processes of both. */
function notifyUserChanges(streams: Streams, bus: ChangeBus, db: Db) {
  const processId = randomUUID();
  let isClosed = false;
  const others = batched<string>(notifyOthersAfterMs, async (changes) => {
    for (let at = 0; at < changes.length; at += maxInMessage) {
      const message = `${processId} ${changes.slice(at, at + maxInMessage).join(',')}`;
      await db.execute(sql`select pg_notify('live', ${message})`);
    }
  });
  const staff = batched<string>(notifyStaffAfterMs, async (changes) => {
    const paid = changes.filter((change) => change.startsWith('paid'));
    const paidOrderIds = paid.flatMap((change) => change.split(':')[1] ?? []);
    streams.send(isStaff, 'admin-orders', { isPaid: paid.length > 0, paidOrderIds });
  });
  const tell = (change: string) => {
    const [what = '', userId = '', orderId] = change.split(':');
    if (!isKnown(what)) return; // from another process with a newer release
    const event = eventOf[what];
    streams.send(({ session }) => session?.userId === userId, event, {});
    if (event === 'orders') staff.add(orderId ? `${what}:${orderId}` : what);
  };
  bus.on('own', (change) => {
    if (isClosed) return;
    tell(change);
    others.add(change);
  });
  bus.on('live', (message) => {
    const [name, changes = ''] = message.split(' ');
    if (name !== processId) changes.split(',').forEach(tell);
  });
  return {
    /** Sends the pending notifications first. */
    async close(): Promise<void> {
      isClosed = true;
      await staff.flush();
      await others.flush();
    },
  };
}

function notifyCatalogChanges(streams: Streams, bus: ChangeBus, findPosition: () => Promise<number>): void {
  let lastPosition = 0;
  const catalog = batched<string>(readPositionAfterMs, async () => {
    if (streams.isEmpty()) return;
    const position = await findPosition();
    if (position === lastPosition) return;
    lastPosition = position;
    streams.send(() => true, 'catalog', { position });
  });
  bus.on('catalog', (change) => void (change === factsChange && catalog.add(change)));
  bus.on('low_stock', (productId) => catalog.add(productId));
}

const isStaff = ({ session }: Stream) => session !== undefined && session.role !== 'ROLE_CUSTOMER';

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // a buffering proxy would delay the events
};

const send = <Name extends keyof LiveData>({ out }: Stream, event: Name, data: LiveData[Name]) =>
  write(out, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

/** Closes the stream if its client reads too slowly: it reconnects and refetches everything. */
function write(out: ServerResponse, text: string): void {
  if (out.writableEnded || out.destroyed) return;
  out.write(text);
  if (out.writableLength > maxUnsentBytes) out.destroy();
}

/**
 * Collects distinct items for a while and sends them as one batch, outside of the call that added the first. A failed batch
 * is dropped.
 */
function batched<Item>(afterMs: number, sendBatch: (items: Item[]) => Promise<void>) {
  const waiting = new Set<Item>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const items = [...waiting];
    waiting.clear();
    if (items.length > 0) await sendBatch(items).catch(() => undefined); // without the database, no process can be notified
  };
  return {
    add(item: Item): void {
      waiting.add(item);
      timer ??= outsideRequests(() => setTimeout(() => void flush(), afterMs));
    },
    flush,
  };
}
