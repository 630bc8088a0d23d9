/**
 * A fair queue for CPU-heavy work. Networks take turns, and accounts take turns within a network, so one caller's backlog
 * does not delay the others. The number of waiting calls is capped per account and per network. When the queue is full, a
 * new call evicts the newest call of the network with the longest queue, if its own network has a shorter one.
 */
export type Party = { network: string; account: string };

export type FairQueueLimits = {
  /** How many tasks run concurrently. */
  concurrency: number;
  /** How many calls may wait in total, per network and per account. */
  waiting: number;
  ofNetwork: number;
  ofAccount: number;
  /** The error for a caller that has too many calls waiting. */
  tooMany: () => Error;
  /** The error when the whole queue is full. */
  full: () => Error;
};

type Waiter = { begin: () => void; refuse: (error: Error) => void };

export function createFairQueue({ concurrency, waiting, ofNetwork, ofAccount, tooMany, full }: FairQueueLimits) {
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
     * Runs `work` when its turn comes.
     * @param prepare runs before the wait and counts toward the limits; if it throws, the place is given up
     * @throws the errors of `tooMany` and `full`
     */
    async run<T>(party: Party, work: () => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
      const leave = enter(party);
      try {
        if (prepare) await prepare();
        if (running < concurrency) running++;
        else await nextTurn(party);
      } finally {
        leave();
      }
      try {
        return await work();
      } finally {
        const next = turns.take();
        if (next) next.begin(); // inherits this slot
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

/** The waiting calls: networks in turn order, and in each its accounts in turn order. */
function createTurns() {
  const networks = new Map<string, Map<string, Waiter[]>>();
  const sizes = createCounts();
  let all = 0;

  const resize = (network: string, step: 1 | -1) => {
    sizes.change(network, step);
    all += step;
  };
  /** Moves the key to the end, or removes it when nothing is left. */
  const putBehind = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, isLeft: boolean) => {
    map.delete(key);
    if (isLeft) map.set(key, value);
  };
  /** Removes the newest call of the network's account with the longest queue. */
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
    /** Removes and returns the next call. */
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
    /**
     * Evicts the newest call of the network with the longest queue.
     * @returns false if that queue is not longer than the one of `network` would become
     */
    makeRoomFor(network: string, rejection: Error): boolean {
      const [longest = ''] = [...networks.keys()].toSorted((one, other) => sizes.of(other) - sizes.of(one));
      if (sizes.of(longest) <= sizes.of(network) + 1) return false;
      takeLast(longest)?.refuse(rejection);
      return true;
    },
  };
}
