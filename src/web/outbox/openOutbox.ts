import type { QueryClient } from '@tanstack/react-query';
import { flushOutboxMessage, outboxChannel, outboxLock, outboxSyncTag } from '../../shared/deviceNames';
import { outboxMessages } from '../../shared/outbox';
import type { PageMessage } from '../../shared/worker';
import { createChannel } from '../browser/channel';
import { listen, stopAll } from '../browser/listen';
import { withLock } from '../browser/locks';
import type { ShopDatabase } from '../device/db';
import { toast } from '../ui/toast';
import { createBatch } from '../server/batch';
import { speaksFor } from '../server/client';
import { ApiError } from '../server/errors';
import { keyed } from '../server/keys';
import { reachability } from '../server/reachability';
import { session } from '../server/session';
import { batchRenders } from './optimistic';
import { type Entry, type OutboxMessage, visitor } from './entry';
import type { Operations } from './operation';
import { sealed } from './sealed';
import { type OutboxParts, Sender } from './sender';
import { joinBy, saveInDatabase, holdInMemory, withFallback } from './storage';

interface Page extends Pick<OutboxParts, 'operations' | 'show'> {
  cache: QueryClient;
  /** Tells who follows what is shown that it is another. */
  tell: () => void;
  sent: (entry: Entry) => void;
  reload: () => void;
}

/** More than somebody makes by pressing plus while the first is on its way. */
const many = 4;

/**
 * The outbox of this tab, at work in a browser: it reads what an earlier visit left, and sends it.
 * @returns its sender, and how to stop, as closing the tab does
 */
export function openOutbox({ operations, cache, show, tell, sent, reload }: Page) {
  const otherTabs = createChannel<OutboxMessage>(outboxChannel);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let shown: readonly Entry[] = [];
  const drawing = batchRenders(() => countWaiting(shown) >= many && sender.isSending());
  const sender = new Sender({
    operations,
    storage: openStorage(operations),
    send: (entries) => sendEntries(operations, entries),
    lock: (work) => withLock(outboxLock, work).finally(drawing.now),
    owner: () => session.get()?.id,
    cache({ answered: entry, data, isOld }) {
      if (!isOf(entry.userId, session.get())) return; // the user may have signed out during the call
      operations[entry.operation]?.saveAnswer?.(cache, entry.input, { data, isOld });
      sent(entry);
    },
    notifyOthers: (message) => isClosed || otherTabs.tell(message),
    ...reachability, // isOnline, probe
    async confirm() {
      const isOnline = await reachability.confirm();
      // a page that was opened without a connection has no token yet: it comes while the device writes
      if (isOnline) void requireOwner(session.get()?.id ?? visitor).catch(() => undefined);
      return isOnline;
    },
    later(work, ms) {
      clearTimeout(timer);
      if (isClosed) return;
      timer = setTimeout(work, ms);
      void askForSync();
    },
    show(entries, unknown) {
      if (isClosed) return;
      // each step of a run reads them again: what is as it was need not be drawn again
      const isSame = JSON.stringify(entries) === JSON.stringify(shown);
      const before = countWaiting(shown);
      if (!isSame) shown = entries;
      show(shown, unknown);
      if (isSame) return;
      if (countWaiting(shown) > before) tell(); // who has just made one looks for it
      else drawing.later(tell);
    },
    askToReload() {
      const endsAt = Date.now() + 24 * 60 * 60_000; // until it is answered
      toast.info(outboxMessages.reload, { label: outboxMessages.reloadNow, onPress: reload, endsAt, isOfPage: true });
    },
  });
  const close = stopAll(
    () => void (isClosed = true),
    () => clearTimeout(timer),
    drawing.stop,
    otherTabs.subscribe(sender.hear),
    onOccasions(() => void sender.flush()),
    otherTabs.close,
  );
  void sender.reload().then(sender.flush);
  return { sender, close };
}

const countWaiting = (entries: readonly Entry[]) => entries.filter(({ state }) => state === 'waiting').length;

const isOf = (userId: string, user: { id: string } | null) => userId === visitor || userId === user?.id;

function openStorage(operations: Operations) {
  const join = joinBy(operations);
  let db: ShopDatabase | undefined; // the first call loads Dexie; asked for at each step, it was sought in the page each time
  const open = async () => (db ??= (await import('../device/db')).db).ready();
  const device = saveInDatabase(open, (userId) => isOf(userId, session.stored()), join);
  return withFallback(device, holdInMemory(join), () => toast.warning(outboxMessages.keepsNothing));
}

const answersWithinMs = 10_000;

/**
 * Sends entries of one user in that user's name, even when the browser's cookie is another user's by now; several of them as
 * a batch. Each promise throws ApiError of the server; 401 when that user's session is over.
 */
function sendEntries(operations: Operations, entries: readonly Entry[]): Promise<unknown>[] {
  const signal = AbortSignal.timeout(answersWithinMs);
  const keys = entries.map(({ key }) => key);
  const batch = entries.length > 1 && { fetch: createBatch(keys, signal) };
  const speaking = requireOwner(entries[0]?.userId ?? visitor);
  return entries.map(async ({ operation, input, key }) => {
    await speaking;
    const definition = operations[operation];
    if (!definition) throw new Error(`nobody knows how to send ${operation}`);
    return definition.send(input, { ...keyed(key), signal, ...batch }).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 401 ? sealed() : error;
    });
  });
}

/** @throws ApiError when the user's session is over */
async function requireOwner(userId: string): Promise<void> {
  if (userId !== visitor && !(await speaksFor(userId))) throw sealed();
}

const findWorker = () => navigator.serviceWorker as ServiceWorkerContainer | undefined;

/** Sends when it may work. @returns how to stop */
function onOccasions(flush: () => void): () => void {
  const worker = findWorker();
  return stopAll(
    session.subscribe(flush), // somebody signed in
    reachability.subscribe(() => reachability.isOnline() && flush()),
    listen(window, 'online', flush),
    listen(window, 'focus', flush),
    listen(document, 'visibilitychange', () => document.visibilityState === 'visible' && flush()),
    listen(worker, 'message', ({ data, source }: MessageEvent<Partial<PageMessage> | undefined>) => {
      if (source === worker?.controller && data?.type === flushOutboxMessage) flush();
    }),
  );
}

/** Background Sync, which not every browser has, nor do TypeScript's types. */
type Syncing = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } };

/** Where the browser can, it wakes us when there is a connection again. */
async function askForSync(): Promise<void> {
  const registration: Syncing | undefined = await findWorker()?.getRegistration();
  await registration?.sync?.register(outboxSyncTag).catch(() => undefined);
}
