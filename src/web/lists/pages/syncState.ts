import { changeLimits } from '../../../shared/changes';
import { inStepKey } from '../../../shared/deviceNames';
import { listen, stopAll } from '../../browser/listen';
import { readJson, writeJson } from '../../browser/storage';
import { createStore } from '../../browser/store';
import type { Journal } from '../../device/journal';
import { reachability } from '../../server/reachability';
import { session, whenUserChanges } from '../../server/session';

/**
 * Records when this device was last in step with the shop for its signed-in user, that is, had the current catalog and
 * orders and received their changes. A device that is back in step after more than an hour was away until its user has
 * seen what changed. The times come from this device's clock and only decide what to show. All tabs share them.
 * Rule: docs/rules/kitchen.md, While you were away
 */
interface Step {
  userId: string;
  /** In ms. */
  at: number;
  away?: Away | undefined;
}
/**
 * From the last step to the one that ended the absence, in ms. Changes noted in between happened during the absence.
 */
export interface Away {
  since: number;
  until: number;
}

type Part = Parameters<Journal['noteStep']>[0];
const partSteps: Record<Part, number> = { catalog: 0, orders: 0 };
const shown = createStore<Away | undefined>(undefined);

export const away = {
  get: shown.get,
  subscribe: shown.subscribe,
  /** Marks the absence as seen. @param next undefined, or the absence to show again after Undo */
  set(next: Away | undefined): void {
    const step = findStep();
    if (step) writeStep({ ...step, away: next });
    else shown.set(undefined); // the step was deleted when its session ended
  },
};

/** Notes that this tab has just received everything new of one part. Once both parts have, the step advances. */
export function noteStep(part: Part): void {
  const now = Date.now();
  partSteps[part] = now;
  const userId = session.get()?.id;
  if (userId === undefined) return;
  const before = findStep();
  const since = before?.at ?? now;
  const both = Math.min(partSteps.catalog, partSteps.orders);
  if (before && both <= since) return;
  if (both === 0) return;
  const isAway = both - since > changeLimits.awayMs;
  writeStep({ userId, at: now, away: isAway ? { since: before?.away?.since ?? since, until: now } : before?.away });
}

const tickMs = 60_000;

/** Advances the last step while this tab is visible and the shop is reachable. @returns a function that stops it */
export function saveStep(): () => void {
  const show = () => shown.set(findStep()?.away);
  show();
  const timer = setInterval(() => document.visibilityState === 'visible' && advance(), tickMs);
  return stopAll(
    () => clearInterval(timer),
    () => {
      shown.set(undefined);
      partSteps.catalog = partSteps.orders = 0; // a restarted watch has to fetch both parts again
    },
    whenUserChanges(show),
    listen(window, 'storage', ({ key }: StorageEvent) => key === inStepKey && show()),
    listen(window, 'pagehide', advance),
    listen(document, 'visibilitychange', () => document.visibilityState === 'hidden' && advance()),
  );
}

/** A device that slept is in step only after it has fetched again. */
function advance(): void {
  const step = findStep();
  const now = Date.now();
  if (!step || !reachability.isOnline() || now - step.at > changeLimits.awayMs) return;
  if (Math.min(partSteps.catalog, partSteps.orders) > 0) writeStep({ ...step, at: now });
}

/** @returns the last step of the signed-in user */
function findStep(): Step | undefined {
  const saved = readJson(inStepKey) as Step | undefined;
  return saved !== undefined && saved.userId === session.get()?.id ? saved : undefined;
}

function writeStep(step: Step): void {
  if (session.stored()?.id !== step.userId) return; // another tab has signed out
  writeJson(inStepKey, step);
  shown.set(step.away);
}
