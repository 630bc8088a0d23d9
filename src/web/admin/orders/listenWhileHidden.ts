import { hiddenBackOfficeLock } from '../../../shared/deviceNames';
import { listen, stopAll } from '../../browser/listen';
import { withLock } from '../../browser/locks';
import { streamWhileHidden } from '../../server/live';

/**
 * Of all hidden back-office tabs, the one that holds the lock keeps its event stream open, to play the sound of a new
 * order.
 * @returns a function that stops it
 */
export function listenWhileHidden(): () => void {
  let turn = new AbortController(); // aborts the lock request, or the lock, of this hidden tab
  const watchInTurn = () => {
    turn.abort();
    if (document.visibilityState !== 'hidden') return;
    const { signal } = (turn = new AbortController());
    const watch = () =>
      new Promise<void>((done) => {
        streamWhileHidden.set(true);
        listen(signal, 'abort', () => {
          streamWhileHidden.set(false);
          done();
        });
      });
    // the request is aborted when the tab becomes visible before its turn
    void withLock(hiddenBackOfficeLock, watch, signal).catch(() => undefined);
  };
  return stopAll(listen(document, 'visibilitychange', watchInTurn), () => turn.abort());
}
