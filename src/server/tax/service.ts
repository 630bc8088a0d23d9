/** Sales tax rates, for staff. Orders copy their state and rate, so a change never affects existing orders. */
import type { Schema } from '../../shared/contract';
import { fromRatePpm, toRatePpm } from '../../shared/total';
import type { ShopTerritories } from '../../shared/usStates';
import { changed, writeAudit, type Facts } from '../audit/service';
import type { Connection, Tx } from '../db/core/transact';
import type { Actor } from '../http/contract/access';
import type { PageRequest } from '../http/contract/paging';
import { notFound } from '../http/core/problems';
import { checkoutOnly, notifySettings } from '../settings/service';
import { ratedStates, readRateCsv, type WantedRate } from './rateCsv';
import * as repository from './repository';
import type { TaxRateRow } from './repository';

type Change = { shop: ShopTerritories; by: Actor; now: Date };
type Known = ReadonlyMap<string, TaxRateRow>;

/** The states that collect tax, by their code. */
export async function listTaxRates(connection: Connection, page: PageRequest) {
  const [rows, totalElements] = await Promise.all([
    repository.findRates(connection, page),
    repository.countRates(connection),
  ]);
  return { rows, totalElements };
}

/**
 * Sets or removes the rate of a state, for future orders.
 * @param wanted.rate in percent
 * @throws Problem 404 not_found for an unknown state
 * Rule: docs/rules/selling.md, Sales tax
 */
export async function changeTaxRate(tx: Tx, wanted: WantedRate, change: Change): Promise<void> {
  const known = await repository.lockRates(tx);
  if (!ratedStates(change.shop, known.keys()).includes(wanted.state)) throw notFound();
  await changeRates(tx, known, [wanted], change);
}

/**
 * Imports the rates of a file, all or none.
 * @returns how many states changed
 * @throws Problem 400 invalid_csv, 409 import_refused, 413 payload_too_large
 * Rule: docs/rules/selling.md, Sales tax
 */
export async function importTaxRates(tx: Tx, file: unknown, change: Change): Promise<number> {
  const known = await repository.lockRates(tx);
  return changeRates(tx, known, readRateCsv(file, change.shop, known.keys()), change);
}

/** @returns how many states changed */
async function changeRates(tx: Tx, known: Known, wanted: readonly WantedRate[], { by, now }: Change): Promise<number> {
  const forms = wanted.map(({ state, rate }) => ({ state, rate: rate && withKnown(rate, known.get(state)) }));
  const differing = forms.filter(({ state, rate }) => changed(audited(known.get(state)), auditedForm(rate)));
  for (const { state, rate } of differing) {
    if (rate) await repository.putRate(tx, rowOf(state, rate, now));
    else await repository.deleteRate(tx, state);
    const facts = changed(audited(known.get(state)), auditedForm(rate));
    const action = rate ? 'tax_rate.changed' : 'tax_rate.removed';
    await writeAudit(tx, { by, action, target: { kind: 'tax_rate', id: state }, ...facts, now });
  }
  if (differing.length > 0) await notifySettings(tx, checkoutOnly);
  return differing.length;
}

const withKnown = ({ rate, taxesDelivery }: NonNullable<WantedRate['rate']>, known: TaxRateRow | undefined) => ({
  rate,
  taxesDelivery: taxesDelivery ?? known?.taxesDelivery ?? false,
});

const rowOf = (state: string, { rate, taxesDelivery }: Schema<'TaxRateForm'>, now: Date): TaxRateRow => ({
  state,
  ratePpm: toRatePpm(rate),
  taxesDelivery,
  changedAt: now,
});

const audited = (row: TaxRateRow | undefined): Facts =>
  row ? { rate: fromRatePpm(row.ratePpm), taxesDelivery: row.taxesDelivery } : nothing;
const auditedForm = (form: Schema<'TaxRateForm'> | null): Facts =>
  form ? { rate: fromRatePpm(toRatePpm(form.rate)), taxesDelivery: form.taxesDelivery } : nothing;
const nothing: Facts = { rate: null, taxesDelivery: null };
