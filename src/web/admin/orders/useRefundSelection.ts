import { useState } from 'react';
import type { Order } from './queries';
import { type LineChoices, previewOf, refundableOf } from './refundPreview';

export type Way = 'lines' | 'amount';

/** The chosen lines and delivery, and the resulting refund. */
export function useRefundSelection(order: Order) {
  const [way, setWay] = useState<Way>('lines');
  const [choices, setChoices] = useState<LineChoices>({});
  const [withDelivery, setWithDelivery] = useState(false);
  const [nothingChosen, setNothingChosen] = useState(false);
  const refundable = refundableOf(order);
  const made = order.refunds.filter(({ state }) => state !== 'failed');
  const chosen = Object.entries(choices).filter(([, { units }]) => units > 0);
  return {
    way,
    setWay,
    choices,
    refundable,
    withDelivery,
    nothingChosen,
    setNothingChosen,
    preview: previewOf(refundable, choices, withDelivery),
    isTouched: chosen.length > 0 || withDelivery,
    isRestocked: made.some((refund) => refund.isRestocked || refund.lines.some((line) => line.isRestocked)),
    isWholeRestocked: made.some((refund) => refund.isRestocked),
    choose: (id: string, change: Partial<LineChoices[string]>) => {
      setNothingChosen(false);
      setChoices((former) => ({ ...former, [id]: { units: 0, restock: false, ...former[id], ...change } }));
    },
    chooseDelivery: (isChosen: boolean) => {
      setNothingChosen(false);
      setWithDelivery(isChosen);
    },
    body: () => ({
      ...(chosen.length > 0 && {
        lines: chosen.map(([orderItemId, { units, restock, cameBack = false }]) => ({
          orderItemId,
          quantity: units,
          restock,
          cameBack,
        })),
      }),
      ...(withDelivery && { delivery: true as const }),
    }),
  };
}

export type Wish = ReturnType<typeof useRefundSelection>;
