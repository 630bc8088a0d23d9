import { useState } from 'react';
import { pickTicksKey } from '../../../shared/deviceNames';
import type { PickListLine } from '../../../shared/packing';
import { readJson, writeJson } from '../../browser/storage';

/**
 * Which lines of a pick list are picked. The device keeps it for the latest list, so that a reload loses nothing. A line
 * whose units changed is no longer ticked.
 */
export function usePickTicks(ids: readonly string[]) {
  const list = ids.toSorted().join();
  const [ticks, setTicks] = useState(readTicks);
  const ticked = new Set(ticks.list === list ? ticks.ticked : []);
  const setTick = (line: PickListLine, isOn: boolean) => {
    if (isOn) ticked.add(tickOf(line));
    else ticked.delete(tickOf(line));
    const next = { list, ticked: [...ticked] };
    writeJson(pickTicksKey, next);
    setTicks(next);
  };
  return { isTicked: (line: PickListLine) => ticked.has(tickOf(line)), setTick };
}

const tickOf = ({ productId, units }: PickListLine) => `${productId}:${units}`;

interface Ticks {
  list: string;
  ticked: string[];
}

function readTicks(): Ticks {
  const { list, ticked } = (readJson(pickTicksKey) ?? {}) as Partial<Record<keyof Ticks, unknown>>;
  return { list: typeof list === 'string' ? list : '', ticked: Array.isArray(ticked) ? ticked.map(String) : [] };
}
