/** Whether the page is part of paying: nothing may come between the customer and the order there. */
export const isPaying = (pathname: string): boolean =>
  pathname === '/checkout' || pathname === '/customer/order/success';
