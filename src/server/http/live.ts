/**
 * Live events: who has a page open is told what to read again.
 *
 * Promise: a change that was committed is told to every listener it concerns, in this process at once and in the others
 * within a moment, or the stream ends; who connects again reads everything again. Nothing is told before its commit.
 * - What users changed of their own comes from liveChanges.ts. It goes to the other processes in batches, by a NOTIFY of
 *   its own after the commit: one inside the transaction would have all commits of the shop wait for each other.
 * - Staff are told of everybody's orders, of many changes together.
 * - What changed in the catalog comes from the database, which tells every process.
 * - A stream ends with its session, after an hour (its next one is let in anew), when its reader is too slow, and when the
 *   database could not be heard for a while, since something may have been missed then.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LiveData, OwnChange } from '../../shared/live';
import type { Notices } from '../db/notices';
import type { Db } from '../db/transact';
import type { Session } from './access';
import { onLiveChange, type LiveChange } from './liveChanges';
import { tooManyRequests, unavailable } from './problems';

export type LiveParts = {
  db: Db;
  notices: Notices;
  /** Names the build of the browser app. */
  build: string;
  /** How far the catalog's change feed has come. */
  findPosition: () => Promise<number>;
  onSessionEnded: (heard: (familyId: string) => void) => void;
};
export type Live = {
  /** Makes the reply a stream. @throws Problem 429 too_many_streams, 503 unavailable */
  open: (request: FastifyRequest, reply: FastifyReply, session: Session | undefined) => FastifyReply;
  /** Ends all streams and lets no more in. */
  close: () => Promise<void>;
};

type Stream = { out: ServerResponse; session: Session | undefined; owner: string };

/** A browser opens six connections to a shop at most: more streams than these are not a person's. */
const maxPerSession = 6;
const maxPerAddress = 30; // visitors, who may share an address
const maxVisitors = 1_000;
const maxSignedIn = 2_000;
const keepAliveEveryMs = 25_000; // below the 30 s after which the server, like many a proxy, cuts a silent connection
const maxAgeMs = 3_600_000;
const maxUnsentBytes = 16 * 1024;
const tellOthersAfterMs = 50;
const tellStaffAfterMs = 200;
const readPositionAfterMs = 100;
const maxInMessage = 150; // changes in one NOTIFY, which holds 8000 bytes
const liveChannel = 'live';

export function openLive({ db, notices, build, findPosition, onSessionEnded }: LiveParts): Live {
  const streams = new Set<Stream>();
  const counts = new Map<string, number>(); // streams by their owner, or kind of owner
  const ownName = randomUUID();
  let isClosing = false;

  const send = <Name extends keyof LiveData>({ out }: Stream, event: Name, data: LiveData[Name]) =>
    write(out, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const sendAll = (wanted: (stream: Stream) => boolean, event: OwnChange) => {
    for (const stream of streams) if (wanted(stream)) send(stream, event, {});
  };
  const endAll = (unwanted: (stream: Stream) => boolean) => {
    for (const stream of streams) if (unwanted(stream)) stream.out.end();
  };
  const tellOwner = (userId: string, what: OwnChange) => sendAll(({ session }) => session?.userId === userId, what);

  const others = batched<string>(tellOthersAfterMs, async (changes) => {
    for (let at = 0; at < changes.length; at += maxInMessage) {
      const message = `${ownName} ${changes.slice(at, at + maxInMessage).join(',')}`;
      await db.execute(sql`select pg_notify(${liveChannel}, ${message})`);
    }
  });
  const staff = batched<LiveChange>(tellStaffAfterMs, async (changes) => {
    const isPaid = changes.includes('paid');
    for (const stream of streams) if (isStaff(stream)) send(stream, 'admin-orders', { isPaid });
  });
  const tell = (userId: string, what: LiveChange) => {
    tellOwner(userId, what === 'paid' ? 'orders' : what);
    if (what !== 'cart') staff.add(what);
  };
  const stopHearing = onLiveChange((userId, what) => {
    tell(userId, what);
    others.add(`${what}:${userId}`);
  });
  notices.on(liveChannel, (message) => {
    const [name, changes = ''] = message.split(' ');
    if (name === ownName) return;
    for (const change of changes.split(',')) {
      const [what, userId = ''] = change.split(':');
      if (what === 'cart' || what === 'orders' || what === 'paid') tell(userId, what);
    }
  });

  let lastPosition = 0;
  const catalog = batched<string>(readPositionAfterMs, async () => {
    if (streams.size === 0) return;
    const position = await findPosition();
    if (position === lastPosition) return;
    lastPosition = position;
    for (const stream of streams) send(stream, 'catalog', { position });
  });
  notices.on('catalog', (change) => void (change === 'facts' && catalog.add(change)));
  notices.on('low_stock', (productId) => catalog.add(productId));
  onSessionEnded((familyId) => endAll(({ session }) => session?.familyId === familyId));
  notices.onConnected(() => endAll(() => true));

  const keepAlive = setInterval(() => streams.forEach(({ out }) => write(out, ':\n\n')), keepAliveEveryMs);
  keepAlive.unref();

  function requireRoom(session: Session | undefined, owner: string): void {
    const kind = session ? 'signed in' : 'visitors';
    if (isClosing || (counts.get(kind) ?? 0) >= (session ? maxSignedIn : maxVisitors)) throw unavailable();
    if ((counts.get(owner) ?? 0) < (session ? maxPerSession : maxPerAddress)) return;
    throw tooManyRequests(60, 'The shop is open in too many windows', 'too_many_streams');
  }
  const count = ({ session, owner }: Stream, step: 1 | -1) => {
    for (const key of [owner, session ? 'signed in' : 'visitors']) {
      const streams = (counts.get(key) ?? 0) + step;
      if (streams > 0) counts.set(key, streams);
      else counts.delete(key);
    }
  };

  return {
    open(request, reply, session) {
      const owner = session ? `session ${session.familyId}` : `address ${request.ip}`;
      requireRoom(session, owner);
      if (request.method === 'HEAD') return reply.headers(streamHeaders).send();
      reply.hijack();
      const { raw: out } = reply;
      const stream: Stream = { out, session, owner };
      streams.add(stream);
      count(stream, 1);
      const atItsAge = setTimeout(() => out.end(), maxAgeMs);
      atItsAge.unref();
      out.once('close', () => {
        clearTimeout(atItsAge);
        streams.delete(stream);
        count(stream, -1);
      });
      out.on('error', () => out.destroy());
      const set = reply.getHeaders() as Record<string, string>;
      out.writeHead(200, { ...reply.server.safeHeaders, ...set, ...streamHeaders });
      // not all at one moment, should this process end
      out.write(`retry: ${1000 + Math.floor(Math.random() * 4000)}\n`);
      send(stream, 'hello', { build, userId: session?.userId ?? null });
      return reply;
    },
    async close() {
      isClosing = true;
      clearInterval(keepAlive);
      stopHearing();
      endAll(() => true);
      await staff.flush();
      await others.flush();
    },
  };
}

const isStaff = ({ session }: Stream) => session !== undefined && session.role !== 'ROLE_CUSTOMER';

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no', // a proxy that collects bytes would keep the news back
};

/** Who does not read what comes is cut off: it connects again, and reads everything. */
function write(out: ServerResponse, text: string): void {
  if (out.writableEnded || out.destroyed) return;
  out.write(text);
  if (out.writableLength > maxUnsentBytes) out.destroy();
}

/** Collects items for a while, each once, and hands them over together. What cannot be handed over is let go. */
function batched<Item>(afterMs: number, handOver: (items: Item[]) => Promise<void>) {
  const waiting = new Set<Item>();
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    const items = [...waiting];
    waiting.clear();
    if (items.length > 0) await handOver(items).catch(() => undefined); // without the database nobody can be told
  };
  return {
    add(item: Item): void {
      waiting.add(item);
      timer ??= setTimeout(() => void flush(), afterMs);
    },
    flush,
  };
}
