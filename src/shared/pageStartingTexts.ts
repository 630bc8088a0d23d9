/** Texts that a page can start from. Each has blanks, so it can't be published as it is. Rule: docs/rules/pages.md, The list */

export interface StartingText {
  /** Also the page's address, by which a page made from it is recognized. */
  slug: string;
  title: string;
  /** What it is about. */
  about: string;
  markdown: string;
}

const shippingReturns = `We pack orders on business days. Orders paid before [your cutoff time] ship the same day.

## Shipping

- We ship to [your shipping area].
- Delivery takes [your delivery time].
- You see the price of delivery at checkout, before you pay.
- Your [orders](/customer/orders) show when an order has shipped.

## Returns

You can return unopened items within [your return period]. Email us first at [your email], with your order number.

- If we sent the wrong item, or it arrived damaged, we pay for the return.
- Otherwise, [your rule for who pays for the return].
- We refund the card you paid with within [your refund time] after your return arrives.
- We can't take back opened items.

## Damaged or missing items

Send a photo to [your email] within [your claim period]. We'll replace the item or refund it, as you prefer.
`;

const privacy = `This page says what we know about you, why, and for how long. We are [your business name], [your business address].

## What we store

- Your account: your name, email, addresses, and the phone number if you add one.
- Your orders: what you bought, where we shipped it, and what you paid.
- Your cart, your lists, and the messages you send us.

We never see your card number. You enter it on the page of our payment provider, [your payment provider].

## What we use it for

We use your data to ship your orders, answer you, and keep our books. We don't sell it.

## Who else gets it

- The carrier gets your name and address.
- The payment provider gets your email and the amount.
- [Your other services that get customer data]

## Cookies

We use cookies to keep you logged in. Your browser also stores the shop itself, so that it works without a connection.

## How long we keep it

We keep orders for [your number of years] years, because the law requires it. We keep your account until you ask us to delete it.

## Your choices

Email [your email] to see your data, correct it, or have it deleted.
`;

const terms = `These terms apply to orders from [your business name], [your business address].

## Orders and prices

- Prices are in US dollars. You see delivery and sales tax before you pay.
- Your order is final once you've paid. We email you a receipt.
- If we can't ship an item, we cancel it and refund you.

## Payment

You pay by card on the page of our payment provider. We never see your card number.

## Delivery and returns

See [Shipping & Returns](/pages/shipping-returns).

## Your account

Keep your password to yourself. If you think that another person uses your account, tell us right away.

## Product information

Always read the label before you use a product. If you have an allergy, check the ingredients first.

## Law

These terms follow the laws of [your state].

## Contact

Email [your email], or call [your phone number].
`;

const faq = `## When will my order arrive?

Delivery takes [your delivery time]. Your [orders](/customer/orders) show when an order has shipped.

## How much is delivery?

You see the price at checkout, before you pay. [Your rule for free delivery]

## Can I change or cancel my order?

Email [your email] before it ships, with your order number.

## Which cards do you take?

We take [your cards].

## How do I return something?

See [Shipping & Returns](/pages/shipping-returns).

## Does the shop work without a connection?

Yes. After your first visit, you can browse the shop and fill your cart offline. Your changes reach us when you're back online.

## I have another question

[Contact us](/contact).
`;

/** In the order in which the shop offers them. */
export const startingTexts: readonly StartingText[] = [
  {
    slug: 'shipping-returns',
    title: 'Shipping & Returns',
    about: 'Delivery times, returns, damaged items',
    markdown: shippingReturns,
  },
  { slug: 'privacy', title: 'Privacy', about: 'What you store about customers, and why', markdown: privacy },
  { slug: 'terms', title: 'Terms', about: 'Orders, prices, payment', markdown: terms },
  { slug: 'faq', title: 'FAQ', about: 'What customers ask most', markdown: faq },
];

/** @returns the text that a new page starts with, if it starts with one */
export const startingTextOf = (slug: string): StartingText | undefined =>
  startingTexts.find((text) => text.slug === slug);
