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
import { ensureSessionOf } from '../server/client';
import { ApiError } from '../server/errors';
import { keyed } from '../server/keys';
import { reachability } from '../server/reachability';
import { session } from '../server/session';
import { batchRenders } from './batchRenders';
import { type Entry, type OutboxMessage, visitor } from './entry';
import type { Operations } from './operation';
import { sealed } from './sealed';
import { type OutboxParts, Sender } from './sender';
import { joinBy, saveInDatabase, storeInMemory, withFallback } from './storage';

interface Page extends Pick<OutboxParts, 'operations' | 'show'> {
  cache: QueryClient;
  /** Notifies the listeners that the shown entries changed. */
  notify: () => void;
  sent: (entry: Entry) => void;
  reload: () => void;
}

/** Longer than between two presses of a finger, and not long for someone who waits for the answer. */
const pauseMs = 400;

/** More than the presses on plus while the first one is in flight. */
const manyEntries = 4;

/**
 * Opens this tab's outbox in the browser: reads the entries of earlier visits and sends them.
 * @returns its sender, and a function that closes it as closing the tab does
 */
export function openOutbox({ operations, cache, show, notify, sent, reload }: Page) {
  const otherTabs = createChannel<OutboxMessage>(outboxChannel);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let shown: readonly Entry[] = [];
  const rendering = batchRenders(() => countWaiting(shown) >= manyEntries && sender.isSending());
  const sender = new Sender({
    operations,
    storage: openStorage(operations),
    send: (entries) => sendEntries(operations, entries),
    lock: (work) => withLock(outboxLock, work).finally(rendering.now),
    owner: () => session.get()?.id,
    cache({ answered: entry, data, isOld }) {
      if (!isOf(entry.userId, session.get())) return; // the user may have logged out during the call
      operations[entry.operation]?.saveAnswer?.(cache, entry.input, { data, isOld });
      sent(entry);
    },
    notifyOthers: (message) => isClosed || otherTabs.notify(message),
    ...reachability, // isOnline, probe
    async confirm() {
      const isOnline = await reachability.confirm();
      // a page opened offline has no token yet: fetch it while the device writes
      if (isOnline) void requireOwner(session.get()?.id ?? visitor).catch(() => undefined);
      return isOnline;
    },
    later(work, ms) {
      clearTimeout(timer);
      if (isClosed) return;
      timer = setTimeout(work, ms);
      void registerSync();
    },
    pause(work) {
      clearTimeout(pause);
      if (!isClosed) pause = setTimeout(work, pauseMs);
    },
    show(entries, unknown) {
      if (isClosed) return;
      // every step of a run reads the entries again: render only when they changed
      const isSame = JSON.stringify(entries) === JSON.stringify(shown);
      const before = countWaiting(shown);
      if (!isSame) shown = entries;
      show(shown, unknown);
      if (isSame) return;
      if (countWaiting(shown) > before) notify(); // the user who just made a change looks for it
      else rendering.later(notify);
    },
    offerReload() {
      const endsAt = Date.now() + 24 * 60 * 60_000; // until the user answers
      toast.info(outboxMessages.reload, { label: outboxMessages.reloadNow, onPress: reload, endsAt, isOfPage: true });
    },
  });
  const close = stopAll(
    () => void (isClosed = true),
    () => clearTimeout(timer),
    () => clearTimeout(pause),
    rendering.stop,
    otherTabs.subscribe(sender.hear),
    flushOnEvents(() => void sender.flush()),
    otherTabs.close,
  );
  void sender.reload().then(sender.flush);
  return { sender, close };
}

const countWaiting = (entries: readonly Entry[]) => entries.filter(({ state }) => state === 'waiting').length;

const isOf = (userId: string, user: { id: string } | null) => userId === visitor || userId === user?.id;

function openStorage(operations: Operations) {
  const join = joinBy(operations);
  let db: ShopDatabase | undefined; // the first call loads Dexie; a repeated import() would search the DOM each time
  const open = async () => (db ??= (await import('../device/db')).db).ready();
  const device = saveInDatabase(open, (userId) => isOf(userId, session.stored()), join);
  return withFallback(device, storeInMemory(join), () => toast.warning(outboxMessages.keepsNothing));
}

const timeoutMs = 10_000;

/**
 * Sends one user's entries as that user, even when the browser's cookie is another user's by now; several as one batch.
 * Each promise rejects with the server's ApiError; 401 when that user's session is over.
 */
function sendEntries(operations: Operations, entries: readonly Entry[]): Promise<unknown>[] {
  const signal = AbortSignal.timeout(timeoutMs);
  const keys = entries.map(({ key }) => key);
  const batch = entries.length > 1 && { fetch: createBatch(keys, signal) };
  const sessionChecked = requireOwner(entries[0]?.userId ?? visitor);
  return entries.map(async ({ operation, input, key }) => {
    await sessionChecked;
    const definition = operations[operation];
    if (!definition) throw new Error(`no handler to send ${operation}`);
    return definition.send(input, { ...keyed(key), signal, ...batch }).catch((error: unknown) => {
      throw error instanceof ApiError && error.status === 401 ? sealed() : error;
    });
  });
}

/** @throws ApiError when the user's session is over */
async function requireOwner(userId: string): Promise<void> {
  if (userId !== visitor && !(await ensureSessionOf(userId))) throw sealed();
}

const findWorker = () => navigator.serviceWorker as ServiceWorkerContainer | undefined;

/** Flushes on events after which sending may work. @returns a function that stops it */
function flushOnEvents(flush: () => void): () => void {
  const worker = findWorker();
  return stopAll(
    session.subscribe(flush), // a user signed in
    reachability.subscribe(() => reachability.isOnline() && flush()),
    listen(window, 'online', flush),
    listen(window, 'focus', flush),
    listen(document, 'visibilitychange', flush), // hidden too: a change that still pauses must not wait for the next visit
    listen(worker, 'message', ({ data, source }: MessageEvent<Partial<PageMessage> | undefined>) => {
      if (source === worker?.controller && data?.type === flushOutboxMessage) flush();
    }),
  );
}

/** Background Sync, which some browsers and TypeScript's types lack. */
type Syncing = ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } };

/** Where supported, the browser wakes us when there is a connection again. */
async function registerSync(): Promise<void> {
  const registration: Syncing | undefined = await findWorker()?.getRegistration();
  await registration?.sync?.register(outboxSyncTag).catch(() => undefined);
}
