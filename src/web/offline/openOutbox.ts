import { offlineSays } from '../../shared/offline';
import { outboxSyncTag, type PageMessage } from '../../shared/worker';
import { openChannel } from '../api/channel';
import { session } from '../api/session';
import { toast } from '../ui/toast';
import { createOutbox, type OutboxMessage, type OutboxParts } from './outboxCore';
import { type Entry, visitor } from './outboxEntry';
import { sendEntry } from './outboxSenders';
import { keepInDatabase, keepInMemory, withFallback } from './outboxStorage';
import { reachability } from './reachability';

interface Page {
  show: (entries: readonly Entry[]) => void;
  keepAnswer: OutboxParts['keepAnswer'];
}
export type OpenOutbox = ReturnType<typeof openOutbox>;

/** The outbox of this tab, at work in a browser: it reads what an earlier visit left, and sends it. */
export function openOutbox({ show, keepAnswer }: Page) {
  const otherTabs = openChannel('outbox');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const isOf = (userId: string, user: { id: string } | null) => userId === visitor || userId === user?.id;
  const core = createOutbox({
    storage: withFallback(
      // Dexie is brought by the first that needs it
      keepInDatabase(
        async () => (await import('./db')).db.ready(),
        (userId) => isOf(userId, session.stored()),
      ),
      keepInMemory(),
      () => toast.warning(offlineSays.keepsNothing),
    ),
    send: sendEntry,
    lock: (work) => inTurn(work),
    owner: () => session.get()?.id,
    keepAnswer(entry: Entry, data, isOld) {
      // its user may have signed out while it was on its way
      if (isOf(entry.userId, session.get())) keepAnswer(entry, data, isOld);
    },
    tellOthers(message) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
      if (!isClosed) otherTabs?.postMessage(message);
    },
    isOnline: reachability.isOnline,
    probe: reachability.probe,
    confirm: reachability.confirm,
    later(work, ms) {
      clearTimeout(timer);
      if (isClosed) return;
      timer = setTimeout(work, ms);
      void askForSync();
    },
    show: (entries) => isClosed || show(entries),
  });
  otherTabs?.addEventListener('message', ({ data }: MessageEvent<OutboxMessage>) => void core.hear(data));
  const stops = [...whenItMayWork(() => void core.flush())];
  void core.reload().then(core.flush);
  return {
    ...core,
    close() {
      isClosed = true;
      clearTimeout(timer);
      otherTabs?.close();
      for (const stop of stops) stop();
    },
  };
}

/** One tab at a time. The lock ends with the tab that has it, however that ends. */
async function inTurn(work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | null | undefined; // absent where the shop is not served securely
  await (locks ? locks.request('outbox', work) : work());
}

/** @returns how to stop, of each */
function* whenItMayWork(flush: () => void): Generator<() => void> {
  const ifVisible = () => {
    if (document.visibilityState === 'visible') flush();
  };
  yield session.subscribe(flush); // somebody signed in
  let wasOnline = reachability.isOnline();
  yield reachability.subscribe(() => {
    if (!wasOnline && reachability.isOnline()) flush();
    wasOnline = reachability.isOnline();
  });
  yield listen(window, 'online', flush);
  yield listen(window, 'focus', flush);
  yield listen(document, 'visibilitychange', ifVisible);
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!worker) return;
  yield listen(worker, 'message', (event) => {
    const { data, source } = event as MessageEvent<Partial<PageMessage> | undefined>;
    if (source === worker.controller && data?.type === 'FLUSH_OUTBOX') flush();
  });
}

function listen(target: EventTarget, type: string, listener: (event: Event) => void): () => void {
  target.addEventListener(type, listener);
  return () => target.removeEventListener(type, listener);
}

/** Where the browser can, it wakes us when there is a connection again (Background Sync). */
async function askForSync(): Promise<void> {
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const registration: Syncing | undefined = await worker?.getRegistration();
  await registration?.sync?.register(outboxSyncTag).catch(() => undefined);
}

/** Not every browser has it, nor do TypeScript's types. */
interface Syncing extends ServiceWorkerRegistration {
  sync?: { register: (tag: string) => Promise<void> };
}
