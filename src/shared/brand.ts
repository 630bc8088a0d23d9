/** The shop's name, and what it says of itself where nobody has opened it yet. */
export const shopName = 'Savory, Seasoning & Spices';
export const shopDescription =
  'A Gambian-owned shop for savory seasonings and spices. Choose by category, keep a cart, and have it all at your door.';
