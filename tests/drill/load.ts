/** Buyers and staff at work, all at once, who can be asked to pause: each ends what it is doing first. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './random';

export type Load = {
  /** Resolves when everybody has a definite answer to what they last asked. @throws what one of them met */
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
      for (const each of working) each.catch(() => undefined); // told by the next pause
    },
    async pause() {
      gate.isOpen = false;
      await Promise.all(working);
    },
  };
}
