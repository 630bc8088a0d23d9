/**
 * A queue for work that takes much of the processor, in which nobody waits for what one caller has piled up: networks take
 * turns, and within a network its accounts. An account and a network may only have so many waiting; when the queue is
 * full, the network with the most loses its last to one that has fewer.
 */
export type Party = { network: string; account: string };

export type FairQueueLimits = {
  /** How many run at once. */
  atOnce: number;
  /** How many wait, in all, of a network and of an account. */
  waiting: number;
  ofNetwork: number;
  ofAccount: number;
  /** What is thrown at who has too many waiting. */
  tooMany: () => Error;
  /** What is thrown when everybody together has. */
  full: () => Error;
};

type Waiter = { begin: () => void; refuse: (error: Error) => void };

export function createFairQueue({ atOnce, waiting, ofNetwork, ofAccount, tooMany, full }: FairQueueLimits) {
  const turns = createTurns();
  const byNetwork = createCounts();
  const byAccount = createCounts();
  let running = 0;

  function enter({ network, account }: Party): () => void {
    const name = `${network} ${account}`;
    if (byNetwork.of(network) >= ofNetwork || byAccount.of(name) >= ofAccount) throw tooMany();
    byNetwork.change(network, 1);
    byAccount.change(name, 1);
    return () => {
      byNetwork.change(network, -1);
      byAccount.change(name, -1);
    };
  }
  async function nextTurn(party: Party): Promise<void> {
    if (turns.count() >= waiting && !turns.makeRoomFor(party.network, full())) throw full();
    await new Promise<void>((begin, refuse) => turns.add(party, { begin, refuse }));
  }

  return {
    /**
     * Runs `work` when it is its turn.
     * @param prepare runs before the wait, and is part of it for the limits: what it throws gives the place up
     * @throws what `tooMany` and `full` make
     */
    async run<T>(party: Party, work: () => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
      const leave = enter(party);
      try {
        if (prepare) await prepare();
        if (running < atOnce) running++;
        else await nextTurn(party);
      } finally {
        leave();
      }
      try {
        return await work();
      } finally {
        const next = turns.take();
        if (next) next.begin(); // it takes over this place
        else running--;
      }
    },
  };
}

function createCounts() {
  const counts = new Map<string, number>();
  return {
    of: (name: string): number => counts.get(name) ?? 0,
    change(name: string, step: 1 | -1): void {
      const count = (counts.get(name) ?? 0) + step;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}

/** Who waits: networks in the order of their turns, in each its accounts in the order of theirs. */
function createTurns() {
  const networks = new Map<string, Map<string, Waiter[]>>();
  const sizes = createCounts();
  let all = 0;

  const resize = (network: string, step: 1 | -1) => {
    sizes.change(network, step);
    all += step;
  };
  /** Behind all others, if it still waits. */
  const putBehind = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, isLeft: boolean) => {
    map.delete(key);
    if (isLeft) map.set(key, value);
  };
  /** Who came last, of the account that has the most waiting there. */
  const takeLast = (network: string): Waiter | undefined => {
    const accounts = networks.get(network) ?? new Map<string, Waiter[]>();
    const [account = '', waiters = []] =
      [...accounts].toSorted((one, other) => other[1].length - one[1].length)[0] ?? [];
    if (waiters.length > 1) accounts.set(account, waiters.slice(0, -1));
    else accounts.delete(account);
    if (accounts.size === 0) networks.delete(network);
    resize(network, -1);
    return waiters.at(-1);
  };

  return {
    count: () => all,
    add({ network, account }: Party, waiter: Waiter): void {
      const accounts = networks.get(network) ?? new Map<string, Waiter[]>();
      networks.set(network, accounts);
      accounts.set(account, [...(accounts.get(account) ?? []), waiter]);
      resize(network, 1);
    },
    /** Whose turn it is. */
    take(): Waiter | undefined {
      const [[network, accounts] = []] = networks;
      const [[account, waiters] = []] = accounts ?? [];
      if (network === undefined || !accounts || account === undefined || !waiters) return undefined;
      const [next, ...others] = waiters;
      putBehind(accounts, account, others, others.length > 0);
      putBehind(networks, network, accounts, accounts.size > 0);
      resize(network, -1);
      return next;
    },
    /** Refuses the last of the network that has the most. @returns whether one has more than `network` then will have */
    makeRoomFor(network: string, rejection: Error): boolean {
      const [longest = ''] = [...networks.keys()].toSorted((one, other) => sizes.of(other) - sizes.of(one));
      if (sizes.of(longest) <= sizes.of(network) + 1) return false;
      takeLast(longest)?.refuse(rejection);
      return true;
    },
  };
}
