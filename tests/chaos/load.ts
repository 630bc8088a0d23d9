/** Buyers and staff who act in parallel, and can pause: each ends its present action first. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './random';

export type Load = {
  /** Resolves when everybody has the answer to their last call. @throws the error of any of them */
  pause: () => Promise<void>;
  resume: () => void;
};

export function startLoad(people: readonly { act: () => Promise<void> }[], random: Random): Load {
  const gate = { isOpen: false };
  let working: Promise<void>[] = [];
  const work = async (act: () => Promise<void>) => {
    while (gate.isOpen) {
      await act();
      await pause(random.below(20));
    }
  };
  return {
    resume() {
      gate.isOpen = true;
      working = people.map(({ act }) => work(act));
      for (const each of working) each.catch(() => undefined); // the next pause throws it
    },
    async pause() {
      gate.isOpen = false;
      await Promise.all(working);
    },
  };
}
