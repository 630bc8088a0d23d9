import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardForm, goodCard, openMerchant, openSandbox, orderOf, sendForm, until } from './openSandbox';

type Ledger = { charges: { paid: boolean }[]; events: { type: string }[]; sessions: { status: string }[] };

async function openPage(changes: Parameters<typeof orderOf>[0] = {}) {
  const sandbox = await openSandbox();
  const session = await sandbox.stripe.checkout.sessions.create(orderOf(changes));
  const pay = (card: string, form?: Record<string, string>) => sendForm(session.url!, cardForm(card, form));
  const ledger = () => sandbox.control<Ledger>('ledger');
  return { ...sandbox, id: session.id, pageUrl: session.url!, pay, ledger };
}

const textOf = async (answer: Response) => (await answer.text()).replaceAll('&#39;', "'");

test('the page shows the items, the sum and the way back, plainly marked as a test', async () => {
  const { pageUrl } = await openPage();
  const answer = await fetch(pageUrl);
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page).toContain('Test payment – no money moves');
  expect(page).toContain('Jollof &#38; &#60;thyme&#62; +50%');
  expect(page).toContain('Pay $31.49</button>');
  expect(page).toContain('href="http://localhost:3000/checkout">Back to Spice &#38; Co &#60;b&#62;</a>');
  expect(page).toContain('value="ana@example.com"');
  for (const label of ['Email', 'Card number', 'Expiration date', 'Security code', 'Name on card', 'ZIP code'])
    expect(page).toContain(`>${label}</label>`);
});

test('the page shows delivery and tax as lines, a discount under its name with a minus, and the amount due', async () => {
  const { stripe } = await openSandbox();
  await stripe.coupons.create({ id: 'o1', amount_off: 1000, currency: 'usd', name: 'SALE-10 <b>' });
  const cents = (name: string, unit_amount: number) => ({
    quantity: 1,
    price_data: { currency: 'usd', unit_amount, product_data: { name } },
  });
  const added = [cents('Delivery: Standard', 499), cents('Sales tax (GA 4%)', 86)];
  const line_items = [...(orderOf().line_items ?? []), ...added];
  const { url } = await stripe.checkout.sessions.create(orderOf({ line_items, discounts: [{ coupon: 'o1' }] }));
  const page = await (await fetch(url!)).text();
  const table = /<table>(.*)<\/table>/s.exec(page)?.[1] ?? '';
  const rows = table.split('</tr>').map((row) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  expect(rows.filter(Boolean)).toEqual([
    'Jollof &#38; &#60;thyme&#62; +50% 2 × $12.50 $25.00',
    'Suya box 1 × $6.49 $6.49',
    'Delivery: Standard 1 × $4.99 $4.99',
    'Sales tax (GA 4%) 1 × $0.86 $0.86',
    'SALE-10 &#60;b&#62; Discount −$10.00',
    'Total $27.34',
  ]);
  expect(table.match(/<th scope="row">/g)).toHaveLength(6);
  expect(page).toContain('Pay $27.34</button>');
});

test('the page loads nothing and sends its form only to itself and on to the shop', async () => {
  const { pageUrl } = await openPage();
  const answer = await fetch(pageUrl);
  const policy = answer.headers.get('content-security-policy')!;
  expect(policy).toMatch(/default-src 'none'; style-src 'sha256-[^']+'/);
  expect(policy).toContain("form-action 'self' http://localhost:3000;");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  const page = await answer.text();
  expect(page).not.toMatch(/<script|src=|style=/);
  const style = /<style>([^<]*)<\/style>/.exec(page)![1]!;
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('a good card pays and leads back to the shop with the session in the URL', async () => {
  const { pay, id, ledger, pageUrl } = await openPage();
  const answer = await pay(goodCard);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe(`http://localhost:3000/payment/success?session_id=${id}&x=1`);
  const { events } = await ledger();
  expect(events.map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ]);
  const afterwards = await fetch(pageUrl);
  expect(await afterwards.text()).toContain('Already paid');
});

test('the merchant has received the payment before the payer returns', async () => {
  const merchant = await openMerchant();
  const { stripe } = await openSandbox({ webhookUrl: merchant.url });
  const session = await stripe.checkout.sessions.create(orderOf());
  await sendForm(session.url!, cardForm(goodCard));
  expect(merchant.events().map(({ type }) => type)).toContain('checkout.session.completed');
});

test('a payer waits until the merchant has accepted the payment, even if it takes more than one attempt', async () => {
  const completed = 'checkout.session.completed';
  const refusedOnce = new Set<string>();
  const merchant = await openMerchant(({ type }) => {
    if (type !== completed || refusedOnce.has(type)) return 200;
    refusedOnce.add(type);
    return 500;
  });
  const { stripe, control } = await openSandbox({ webhookUrl: merchant.url });
  const session = await stripe.checkout.sessions.create(orderOf());
  const paying = sendForm(session.url!, cardForm(goodCard)).then(({ status }) => ({
    status,
    told: merchant.events().filter(({ type }) => type === completed).length,
  }));
  await until(() => refusedOnce.size > 0);
  await control('clock', { advanceMs: 6_000 });
  expect(await paying).toEqual({ status: 303, told: 2 });
});

const paying: [card: string, form: Record<string, string>][] = [
  ['5555 5555 5555 4444', {}],
  ['3782 822463 10005', { cvc: '1234' }],
];

test.for(paying)('the card %s pays', async ([card, form]) => {
  const { pay } = await openPage();
  expect((await pay(card, form)).status).toBe(303);
});

const declining: [card: string, message: string, code: string, declineCode: string | undefined][] = [
  ['4000000000000002', 'Your card was declined.', 'card_declined', 'generic_decline'],
  ['4000000000009995', 'insufficient funds', 'card_declined', 'insufficient_funds'],
  ['4000000000009987', 'Your card was declined.', 'card_declined', 'lost_card'],
  ['4000000000009979', 'Your card was declined.', 'card_declined', 'stolen_card'],
  ['4000000000000069', 'Your card has expired.', 'expired_card', undefined],
  ['4000000000000127', 'security code is incorrect', 'incorrect_cvc', undefined],
  ['4000000000000119', 'An error occurred while processing', 'processing_error', undefined],
];

test.for(declining)(
  'the card %s is declined, and another one pays afterwards',
  async ([card, message, code, declineCode]) => {
    const { pay, ledger, stripe, id, pageUrl } = await openPage();
    expect((await pay(card)).headers.get('location')).toBe(`/c/pay/${id}`);
    expect(await textOf(await fetch(pageUrl))).toContain(message);
    const [failure] = (await stripe.events.list({ type: 'payment_intent.payment_failed' })).data;
    expect(failure).toMatchObject({ data: { object: { last_payment_error: { code } } } });
    const error = (failure!.data.object as { last_payment_error: { decline_code?: string } }).last_payment_error;
    expect(error.decline_code).toBe(declineCode);

    expect((await pay(goodCard)).status).toBe(303);
    expect((await ledger()).charges.map(({ paid }) => paid)).toEqual([false, true]);
  },
);

const refused: [why: string, form: Record<string, string>, message: string][] = [
  ['a number with a slip of the finger', { cardNumber: '4242 4242 4242 4241' }, 'Your card number is invalid.'],
  ['a card that is not a test card', { cardNumber: '4111 1111 1111 1111' }, 'Use a test card'],
  ['a date in the past', { expiry: '01 / 20' }, "Your card's expiration date is in the past."],
  ['a month that does not exist', { expiry: '13 / 34' }, "Your card's expiration date is invalid"],
  ['a CVC of two digits', { cvc: '12' }, "Your card's security code is incomplete."],
  [
    'a CVC of three digits on American Express',
    { cardNumber: '378282246310005' },
    "Your card's security code is incomplete.",
  ],
  ['no email', { email: '' }, 'This field is required.'],
  ['half an email', { email: 'ana@' }, 'Your email is invalid.'],
  ['no name', { name: ' ' }, 'This field is required.'],
  ['a ZIP of letters', { zip: 'abc' }, 'Your ZIP code is invalid.'],
];

test.for(refused)('%s is rejected in the form, and nothing is tried', async ([, form, message]) => {
  const { pay, ledger } = await openPage();
  const answer = await pay(goodCard, form);
  const page = await textOf(answer);
  expect(answer.status).toBe(200);
  expect(page).toContain(message);
  expect(page).toContain('aria-invalid="true"');
  expect(page).not.toContain(form['cardNumber'] ?? '4242 4242 4242 4241');
  expect(await ledger()).toMatchObject({ charges: [], events: [] });
});

test('a form sent twice at the same moment charges once, and both lead back to the shop', async () => {
  const { pay, ledger } = await openPage();
  const answers = await Promise.all([pay(goodCard), pay(goodCard), pay(goodCard)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await ledger()).charges).toHaveLength(1);
});

test('when paying and expiring coincide, one wins', async () => {
  const { pay, stripe, id, ledger } = await openPage();
  const [paid, expired] = await Promise.allSettled([pay(goodCard), stripe.checkout.sessions.expire(id)]);
  const { charges, sessions } = await ledger();
  const isPaid = paid.status === 'fulfilled' && paid.value.status === 303;
  expect(expired.status).toBe(isPaid ? 'rejected' : 'fulfilled');
  expect([charges.length, sessions[0]!.status]).toEqual(isPaid ? [1, 'complete'] : [0, 'expired']);
});

test('an expired link says so and leads back to the shop', async () => {
  const { pay, pageUrl, control, ledger } = await openPage();
  await control('clock', { advanceMs: 32 * 60_000 });
  for (const answer of [await fetch(pageUrl), await pay(goodCard)]) {
    const page = await answer.text();
    expect(answer.status).toBe(410);
    expect(page).toContain('This link has expired');
    expect(page).toContain('href="http://localhost:3000/checkout"');
  }
  expect((await ledger()).charges).toEqual([]);
});

test('an unknown link is not found', async () => {
  const { url } = await openSandbox();
  expect((await fetch(`${url}/c/pay/cs_test_guessed`)).status).toBe(404);
  expect((await sendForm(`${url}/c/pay/cs_test_guessed`, cardForm(goodCard))).status).toBe(404);
});

const confirming = ['4000 0025 0000 3155', '4000 0027 6000 3184', '4000 0000 0000 3220'];

test.for(confirming)('the card %s asks its holder, who may fail, cancel and complete', async (card) => {
  const { pay, pageUrl, ledger, stripe, id } = await openPage();
  const answer = (text: string) => sendForm(`${pageUrl}/confirm`, new URLSearchParams({ answer: text }));

  expect((await pay(card)).headers.get('location')).toBe(`/c/pay/${id}/confirm`);
  expect(await (await fetch(`${pageUrl}/confirm`)).text()).toMatch(new RegExp(`card ending in\\s+${card.slice(-4)}`));
  expect((await answer('fail')).headers.get('location')).toBe(`/c/pay/${id}`);
  expect(await textOf(await fetch(pageUrl))).toContain('unable to authenticate');
  const [failure] = (await stripe.events.list({ type: 'payment_intent.payment_failed' })).data;
  expect(failure).toMatchObject({
    data: { object: { last_payment_error: { code: 'payment_intent_authentication_failure' } } },
  });

  await pay(card);
  expect((await answer('cancel')).headers.get('location')).toBe(`/c/pay/${id}`);
  expect((await ledger()).charges).toEqual([]);

  await pay(card);
  expect((await answer('complete')).headers.get('location')).toContain('/payment/success');
  expect((await answer('complete')).status).toBe(303);
  expect((await ledger()).charges).toHaveLength(1);
});
