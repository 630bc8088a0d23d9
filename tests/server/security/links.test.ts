/** Where the shop sends users, and what it calls itself. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openOrder } from '../../support/buying';
import { contractOperations } from '../../support/contract';
import { openShop, publicUrl } from '../../support/shop';

const sourcesOf = (folder: string) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: file.replaceAll(path.sep, '/'), text: readFileSync(path.join(folder, file), 'utf8') }));

test('all links that users can set are https: no other field takes a link', () => {
  const fields = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { properties } = node as { properties?: Record<string, { pattern?: string }> };
    for (const [name, { pattern }] of Object.entries(properties ?? {}))
      if (/url|link|href|website/i.test(name) && !pattern?.startsWith('^https://')) fields.add(name);
    for (const part of Object.values(node)) visit(part);
  };
  for (const { requestBody } of contractOperations.values()) visit(requestBody);
  // the first has its own check (adminOrders.test.ts); the second is never shown: only robots fill it in
  expect([...fields].sort()).toEqual(['shipmentTrackingUrl', 'trackingUrl', 'website']);
});

test('the server opens connections only to the database, the mail server, the provider and the pictures’ storage', () => {
  const calling = sourcesOf('src/server').filter(({ text }) =>
    /\bfetch\(|(?:https?|net|tls)\.(?:get|request|connect)\(|createTransport\(|new Stripe\(|new (?:Pool|Client)\(/.test(
      text,
    ),
  );
  const known =
    /^(?:db\/(?:\w+\/)?\w+|backup\/\w+|mail\/(?:mailer|smtp)|payments\/provider|pictures\/s3Store|http\/pages\/pages|process\/listen)\.ts$/; // pages: a `fetch` that ends in inject
  expect(calling.map(({ file }) => file).filter((file) => !known.test(file))).toEqual([]);
});

test('the payment page is on another site than the shop', async () => {
  const shop = await openShop();
  const { paymentUrl } = (await openOrder(shop)) as unknown as { paymentUrl: string };
  expect(new URL(paymentUrl).hostname).not.toBe(publicUrl.hostname);
  await shop.close();
});

test('the service worker checks what a message is before it does anything', () => {
  const listening = sourcesOf('sw').filter(({ text }) => text.includes("addEventListener('message'"));
  expect(listening.length).toBeGreaterThan(0);
  for (const { text } of listening) {
    const [, ...listeners] = text.split("addEventListener('message'");
    for (const listener of listeners) expect(listener.slice(0, 300)).toMatch(/type === [a-zA-Z]+Message\b/);
  }
});
