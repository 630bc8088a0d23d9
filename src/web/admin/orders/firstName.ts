import type { Order } from './queries';

/** @returns 'Fatou' for Fatou Ceesay */
export const firstNameOf = ({ customer }: Pick<Order, 'customer'>): string => customer.split(/\s/, 1)[0] ?? customer;
