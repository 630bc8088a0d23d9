import { useEffect, useState } from 'react';
import { Receipt } from '../../orders/ReceiptPage';
import { printAs } from '../../ui/printAs';
import styles from './OrderPaper.module.css';
import { PackingSlip } from './PackingSlip';
import printed from './paper.module.css';
import type { Order } from './queries';

/** The print layout of an order, hidden on screen. */
export function OrderPaper({ paper, order }: { paper: Paper; order: Order }) {
  return (
    <div className={`${styles['paper']} ${printed['paper']}`}>
      {paper.kind === 'Receipt' ? <Receipt order={order} /> : <PackingSlip order={order} parcelId={paper.parcelId} />}
    </div>
  );
}

export interface Paper {
  kind: 'Packing slip' | 'Receipt';
  /** The package of a packing slip; without it, it has what is left to ship. */
  parcelId?: string;
}

/**
 * Prints one part of an order's page instead of the whole page. The slip of a new package waits until the page has it.
 * @returns the part being printed, and a function that prints one
 */
export function usePaper(order: Order | undefined) {
  const [paper, setPaper] = useState<Paper>();
  const isHere = !paper?.parcelId || order?.parcels?.some(({ id }) => id === paper.parcelId);
  const shown = isHere ? paper : undefined;
  const orderNumber = order?.orderNumber ?? '';
  useEffect(() => {
    if (!shown) return undefined;
    return printAs(`${shown.kind} ${orderNumber}`, () => setPaper(undefined));
  }, [shown, orderNumber]);
  return { paper: shown, print: setPaper };
}
