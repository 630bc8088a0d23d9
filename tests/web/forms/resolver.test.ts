// @vitest-environment node
import { expect, test } from 'vitest';
import { trackingForm } from '../../../src/shared/ordersForms';
import { orderMessages } from '../../../src/shared/orders';
import { resolverOf } from '../../../src/web/forms/resolver';

/** What forms rely on between React Hook Form and zod: an upgrade of either fails here first. */
const resolve = resolverOf<{ shipmentTrackingUrl: string }, { shipmentTrackingUrl: string | null }>(trackingForm);
const check = (shipmentTrackingUrl: string) =>
  resolve({ shipmentTrackingUrl }, undefined, { fields: {}, shouldUseNativeValidation: false });

test('the submitted values are the rules’ output', async () => {
  expect(await check(' https://parcels.example/1 ')).toEqual({
    values: { shipmentTrackingUrl: 'https://parcels.example/1' },
    errors: {},
  });
  expect((await check(' ')).values).toEqual({ shipmentTrackingUrl: null });
});

test('an invalid field has the rule’s sentence', async () => {
  const { values, errors } = await check('http://parcels.example');
  expect(values).toEqual({});
  expect(errors).toMatchObject({ shipmentTrackingUrl: { message: orderMessages.isNoTrackingUrl } });
});
