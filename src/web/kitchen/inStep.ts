import { changeLimits } from '../../shared/changes';
import { inStepKey } from '../../shared/deviceNames';
import { listen, stopAll } from '../browser/listen';
import { readJson, writeJson } from '../browser/storage';
import { createStore } from '../browser/store';
import type { Journal } from '../device/journal';
import { reachability } from '../server/reachability';
import { session, whenUserChanges } from '../server/session';

/**
 * When this device was last in step with the shop, for its signed-in user: it has the catalog and the orders, and hears of
 * their changes. A device that is in step again after more than an hour was away, until its user has seen what changed.
 * The times are this device's and decide nothing but what is told. All tabs share them.
 * Rule: docs/rules/kitchen.md, While you were away
 */
interface Step {
  userId: string;
  /** In ms. */
  at: number;
  away?: Away | undefined;
}
/** From the last step to the one that ended the absence, in ms. What was noted in between changed meanwhile. */
export interface Away {
  since: number;
  until: number;
}

type Part = Parameters<Journal['noteStep']>[0];
const stepped: Record<Part, number> = { catalog: 0, orders: 0 };
const shown = createStore<Away | undefined>(undefined);

export const away = {
  get: shown.get,
  subscribe: shown.subscribe,
  /** The user has seen what changed. @param next undefined, or what Undo shows again */
  set(next: Away | undefined): void {
    const step = find();
    if (step) keep({ ...step, away: next });
    else shown.set(undefined); // the step went with a session that had ended
  },
};

/** Notes that this tab has just heard all that is new of a part. Both parts together are a step. */
export function noteStep(part: Part): void {
  const now = Date.now();
  stepped[part] = now;
  const userId = session.get()?.id;
  if (userId === undefined) return;
  const before = find();
  const since = before?.at ?? now;
  const both = Math.min(stepped.catalog, stepped.orders);
  if (before && both <= since) return;
  if (both === 0) return;
  const isAway = both - since > changeLimits.awayMs;
  keep({ userId, at: now, away: isAway ? { since: before?.away?.since ?? since, until: now } : before?.away });
}

const tickMs = 60_000;

/** Moves the last step forward while this tab is seen and the shop can be reached. @returns how to stop */
export function saveStep(): () => void {
  const show = () => shown.set(find()?.away);
  show();
  const timer = setInterval(() => document.visibilityState === 'visible' && goOn(), tickMs);
  return stopAll(
    () => clearInterval(timer),
    () => {
      shown.set(undefined);
      stepped.catalog = stepped.orders = 0; // whoever starts again asks again
    },
    whenUserChanges(show),
    listen(window, 'storage', ({ key }: StorageEvent) => key === inStepKey && show()),
    listen(window, 'pagehide', goOn),
    listen(document, 'visibilitychange', () => document.visibilityState === 'hidden' && goOn()),
  );
}

/** A device that slept is in step again only once it has asked. */
function goOn(): void {
  const step = find();
  const now = Date.now();
  if (!step || !reachability.isOnline() || now - step.at > changeLimits.awayMs) return;
  if (Math.min(stepped.catalog, stepped.orders) > 0) keep({ ...step, at: now });
}

/** @returns the last step of the user who is signed in */
function find(): Step | undefined {
  const kept = readJson(inStepKey) as Step | undefined;
  return kept !== undefined && kept.userId === session.get()?.id ? kept : undefined;
}

function keep(step: Step): void {
  if (session.stored()?.id !== step.userId) return; // signed out in another tab meanwhile
  writeJson(inStepKey, step);
  shown.set(step.away);
}
