import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { orderSoundKey } from '../../../shared/deviceNames';
import type { LiveData } from '../../../shared/live';
import { formatMoney, toCents } from '../../../shared/money';
import { orderStaffMessages } from '../../../shared/ordersStaff';
import { stopAll } from '../../browser/listen';
import { createEvent, useStore } from '../../browser/store';
import { whenAnyOrderChanges } from '../../server/live';
import { refetchAll } from '../../server/queries';
import { toast } from '../../ui/toast';
import { staffKey } from '../staffCalls';
import { orderQuery } from './queries';
import { listenWhileHidden } from './listenWhileHidden';

/** The queries that show or count orders. */
const orderQueries = [
  'orders',
  'order',
  'pickList',
  'packingSlips',
  'customer',
  'holds',
  'dashboard',
  'alarms',
] as const;

/** Refetches when any customer's order changes, and announces new orders. Rule: docs/rules/back-office.md, Orders */
export function useNewOrders(): void {
  const cache = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => {
    const onChange = ({ isPaid, paidOrderIds }: LiveData['admin-orders']) => {
      for (const what of orderQueries) refetchAll(cache, staffKey(what));
      if (!isPaid) return;
      void announceOrders(paidOrderIds, cache, (to) => void navigate({ to }));
      void chime();
    };
    return stopAll(whenAnyOrderChanges(onChange), listenWhileHidden());
  }, [cache, navigate]);
}

/** Names the order, or the number of new orders, with a link. */
async function announceOrders([id, ...more]: readonly string[], cache: QueryClient, go: (to: string) => void) {
  const view = (to: string) => ({ label: 'View', onPress: () => go(to) });
  if (!id) return toast.info(orderStaffMessages.newOrder);
  if (more.length > 0) return toast.info(orderStaffMessages.newOrders(1 + more.length), view('/ordered/products'));
  const read = await cache.fetchQuery(orderQuery(id)).catch(() => undefined);
  if (!read) return toast.info(orderStaffMessages.newOrder, view(`/admin/orders/${id}`));
  const { orderNumber, totalAmount } = read.orderResponse;
  const sentence = orderStaffMessages.newOrderOf(orderNumber, formatMoney(toCents(totalAmount)));
  return toast.info(sentence, view(`/admin/orders/${id}`));
}

/** The sound of a new order, and whether it is on for this device. */
const switched = createEvent();

export const sound = {
  isOn: () => localStorage.getItem(orderSoundKey) !== 'off',
  switch(isOn: boolean) {
    if (isOn) localStorage.removeItem(orderSoundKey);
    else localStorage.setItem(orderSoundKey, 'off');
    switched.notify();
  },
};

export const useIsSoundOn = () => useStore({ get: sound.isOn, subscribe: switched.subscribe }, true);

let audio: AudioContext | undefined;

/** Two soft notes, a third of a second. Browsers stay silent until the user has pressed something on the page. */
export async function chime(): Promise<void> {
  if (!sound.isOn() || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  if (audio.state !== 'running')
    await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, 200))]);
  if (audio.state !== 'running') return;
  for (const [place, hertz] of [659, 880].entries()) playNote(audio, hertz, audio.currentTime + place * 0.12);
}

function playNote(on: AudioContext, hertz: number, at: number): void {
  const note = new OscillatorNode(on, { frequency: hertz, type: 'sine' });
  const loudness = new GainNode(on, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(0.06, at + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
  note.connect(loudness).connect(on.destination);
  note.start(at);
  note.stop(at + 0.22);
}
