import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'vitest';

const ajv = new Ajv({ strict: false, allErrors: true });
for (const file of ['stripe-schemas.json', 'stripe-schemas.sdk-23.json']) {
  ajv.addSchema(JSON.parse(readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8')) as object);
}

type Name =
  | 'checkout_session'
  | 'payment_intent'
  | 'charge'
  | 'refund'
  | 'coupon'
  | 'discount'
  | 'event'
  | 'error'
  | 'list_of_items'
  | 'list_of_checkout_sessions'
  | 'list_of_events'
  | 'list_of_refunds';

/** The object matches what the provider publishes: its old schema and that of the present API version. */
export function expectOnWire(name: Name, object: unknown): void {
  for (const source of ['stripe-openapi', 'stripe-sdk']) {
    const validate = ajv.getSchema(`${source}#/$defs/${name}`);
    if (!validate) throw new Error(`${source} has no ${name}`);
    void validate(JSON.parse(JSON.stringify(object)));
    expect(validate.errors ?? [], `${name} by ${source}`).toEqual([]);
  }
}
