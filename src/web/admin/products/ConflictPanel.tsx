import { useEffect, useRef, useState } from 'react';
import { productMessages } from '../../../shared/catalogStaff';
import { productFields, type ProductFieldName } from '../../../shared/productFields';
import { plainText } from '../../../shared/productTexts';
import { Icon } from '../../ui/Icon';
import styles from './ConflictPanel.module.css';
import { fieldLabels, inWords, type ProductValues, valuesOf } from './productValues';
import { type StaffProduct, useCategoryChoices } from './queries';

/** Why a save was rejected. */
export interface Conflict {
  differences: Difference[];
  /** The quantity before and after a concurrent change of the stock. */
  stock: { was: number; now: number } | undefined;
}

interface Props extends Conflict {
  onChoose: (field: keyof ProductValues, value: string) => void;
}

/**
 * Shows both values of each field that a colleague has changed meanwhile, so that no change is lost unseen. Fields
 * changed only here are no conflict.
 */
export function ConflictPanel({ differences, stock, onChoose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles['panel']} role="alert" aria-labelledby="conflict">
      <h2 id="conflict" ref={heading} tabIndex={-1}>
        <Icon name="alert" />
        {productMessages.changedMeanwhile}
      </h2>
      <p>{productMessages.chooseAndSave}</p>
      {differences.map((difference) => (
        <Choice key={difference.field} difference={difference} onChoose={onChoose} />
      ))}
      {stock && <p>{productMessages.stockNow(stock)}</p>}
    </section>
  );
}

function Choice({ difference, onChoose }: { difference: Difference; onChoose: Props['onChoose'] }) {
  const { field, yours, now, isYoursToo } = difference;
  const [isYours, setYours] = useState(isYoursToo);
  const categories = useCategoryChoices();
  useEffect(() => {
    onChoose(field, isYours ? yours : now);
    // oxlint-disable-next-line react/exhaustive-deps -- notifies the form when the choice changes
  }, [isYours]);
  const option = (isThis: boolean, label: string, value: string) => (
    <label className={styles['option']}>
      <input type="radio" name={`keep-${field}`} checked={isYours === isThis} onChange={() => setYours(isThis)} />
      <small>{label}</small>
      <span className={styles['value']}>{inWords(field, value, categories)}</span>
    </label>
  );
  return (
    <fieldset className={styles['choice']}>
      <legend>{fieldLabels[field]}</legend>
      {option(true, 'Yours', yours)}
      {option(false, 'In the shop now', now)}
    </fieldset>
  );
}

/** A field that a colleague has changed to a value other than this form's. */
export interface Difference {
  field: keyof ProductValues;
  yours: string;
  now: string;
  /** It was changed here, too; otherwise the shop's current value is preselected. */
  isYoursToo: boolean;
}

/**
 * @param product its current state
 * @param opened the form's initial values
 * @param yours the form's current values
 * @returns the fields that a colleague changed, except the quantity, since only its difference is saved
 */
export function differencesOf(product: StaffProduct, opened: ProductValues, yours: ProductValues): Difference[] {
  const now = valuesOf(product);
  return (Object.keys(fieldLabels) as (keyof ProductValues)[])
    .filter((field) => field !== 'quantity')
    .filter((field) => ![opened[field], yours[field]].some((value) => plain(field, value) === plain(field, now[field])))
    .map((field) => ({
      field,
      yours: yours[field],
      now: now[field],
      isYoursToo: plain(field, yours[field]) !== plain(field, opened[field]),
    }));
}

const plain = (name: keyof ProductValues, text: string): string =>
  name in productFields ? plainText(productFields[name as ProductFieldName], text) : text.trim();
