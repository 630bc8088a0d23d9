/** The agreed sentences. Each is once in src/shared and nowhere else, so that browser and server cannot differ. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesUnder } from '../support/documents';

const sentences = [
  'Email is required',
  'Password is required',
  'Invalid email address',
  'Password must be at least 8 characters',
  'Password must contain at least one letter',
  'Please confirm your password',
  'Passwords do not match',
  'This field is required',
  'Postal Code is required',
  'Postal code format is numbers only',
  'Postal code must be at least 5 characters',
  'Postal code must be no more than 5 characters',
  'No cart available. Please try again.',
  'Please select or add a delivery address.',
  'Please provide a customer name.',
  'User information is missing. Please log in again.',
  'Please fill in all address fields',
  'Cart data is not available',
  'Missing required payment information',
  'Failed to fetch product',
  'Failed to fetch products by category',
  'Failed to fetch user',
  'Cart item updated successfully',
  'Failed to update cart item',
  'Item removed from cart',
  'Failed to remove cart item',
  'Cart cleared successfully',
  'Failed to clear cart',
  'Item added to cart successfully',
  'Failed to add item to cart',
  'Failed to process payment',
  'Payment Processing Error',
  'Failed to load order history.',
  'No orders found.',
  'Failed to fetch order history',
  'Failed to create order',
  'Order creation failed. Please try again.',
  'Order created but payment URL not found. Please contact support.',
  'Payment URL not found in server response',
  'User data is not available',
  'User ID is required to fetch the cart',
  'Order created successfully',
  'Incorrect username/password',
  'Login successful',
  'Logout successful',
  'Registration successful!',
  'Registration failed',
  'Something went wrong. Please try again.',
  'Login to see items in your cart',
  'You need to be logged in to add items to your cart',
  'Cart is Empty',
  'No saved addresses found.',
  'Processing your payment...',
  'Address added successfully',
  'Failed to add address',
  'Address removed successfully',
  'Failed to remove address',
  'Profile updated successfully',
  'Failed to update profile',
  'Error loading user profile',
  'Failed to create category',
  'Failed to fetch category',
  'Failed to create product',
  'Failed to fetch products',
  'Error fetching users',
  'Role is required',
  'User creation failed',
  'User created successfully!',
  'Failed to fetch orders',
  'Failed to load order details.',
  'No order details available.',
  'User role updated to Admin',
  'User role updated to User',
  'Failed to update user role',
  'Order status updated successfully',
  'Failed to update order status',
  'Failed to update category',
  'Failed to update product',
  'Loading user profile...',
];

const shared = filesUnder(['src/shared']).map(read);
const elsewhere = filesUnder(['src/web', 'src/server', 'src/sandbox']).map((file) => ({ file, text: read(file) }));

test.each(sentences)('"%s" is once in the code that browser and server share', (sentence) => {
  const inSource = asWritten(sentence);
  expect(shared.flatMap((text) => text.match(inSource) ?? [])).toHaveLength(1);
  expect(elsewhere.filter(({ text }) => text.search(inSource) >= 0).map(({ file }) => file)).toEqual([]);
});

/** Between quotes; a number or a role may be filled in. */
function asWritten(sentence: string): RegExp {
  const filledIn = String.raw`(?:$&|\$\{[\w[\]]+\})`;
  const text = sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\d+|(?:Admin|User)$/g, filledIn);
  return new RegExp(`(['\`])${text}\\1`, 'g');
}

function read(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}
