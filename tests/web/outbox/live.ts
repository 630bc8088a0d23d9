/** What happens to one device in a run, one action after the other: changes, and faults of a phone and its network. */
import type { Change } from './change';
import type { Device } from './devices';
import type { World } from './network';

/** Besides changes: offline and back, an expired token, another user, brought to the front. */
export const otherActs = ['offline', 'online', 'expire', 'lend', 'wake'] as const;

export type Placed = { place: number; name: string };

/** @param changeOf an action that is a change */
export async function live<Act extends Placed>(
  world: World,
  device: Device,
  acts: readonly Act[],
  changeOf: (act: Act) => Change | undefined,
): Promise<void> {
  for (const act of acts) {
    if (act.name === 'offline' || act.name === 'online') device.state.isOnline = act.name === 'online';
    if (act.name === 'expire') device.state.token = 'expired';
    if (act.name === 'lend') await device.lend();
    const change = changeOf(act);
    const made = change && device.make(act.place, change);
    const woken = act.name === 'offline' ? [] : device.wake();
    if (act.name === 'wake') await Promise.all(woken);
    if (world.random() < 0.5) await made;
    else await new Promise((resolve) => setTimeout(resolve, world.random() * 4));
  }
}
