import { expect, test } from 'vitest';
import { canMove, nextStatuses, orderStatuses, statusLabels } from '../../src/shared/orders';

const allowedForStaff = ['PAID > OUT_FOR_DELIVERY', 'PAID > DELIVERED', 'OUT_FOR_DELIVERY > DELIVERED'];
const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => ({ from, to })));

test.each(pairs)('staff move an order from $from to $to only when it is a step forward', ({ from, to }) => {
  expect(canMove(from, to)).toBe(allowedForStaff.includes(`${from} > ${to}`));
});

test('nothing follows a refund, and a canceled order continues only when its money came after all', () => {
  expect(nextStatuses.REFUNDED).toEqual([]);
  expect(nextStatuses.CANCELLED).toEqual(['PAID', 'REFUNDED']);
});

test('OUT_FOR_DELIVERY is called On Delivery', () => {
  expect(statusLabels.OUT_FOR_DELIVERY).toBe('On Delivery');
});
