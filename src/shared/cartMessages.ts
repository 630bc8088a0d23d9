/** What the shop says about the cart. Rule: docs/rules/cart.md, Messages */
export const inCart = (units: number): string => `${units} in cart`;
export const inYourCart = (units: number): string => `${units} in your cart`;

/** Messages about cart changes. */
export const cartMessages = {
  addCartItem: { success: 'Item added to cart successfully', failure: 'Failed to add item to cart' },
  updateCartItem: { success: 'Cart item updated successfully', failure: 'Failed to update cart item' },
  removeCartItem: { success: 'Item removed from cart', failure: 'Failed to remove cart item' },
  clearCart: { success: 'Cart cleared successfully', failure: 'Failed to clear cart' },
  noUser: 'User ID is required to fetch the cart',
  noData: 'Cart data is not available',
  loginToAdd: 'You need to be logged in to add items to your cart',
  loginToSee: 'Login to see items in your cart',
  empty: 'Cart is Empty',
  view: 'View cart',
} as const;
