import { type ReactNode, useEffect, useRef, useState } from 'react';
import { adminMessages } from '../../../shared/admin';
import { Icon } from '../../ui/Icon';
import styles from './ConflictPanel.module.css';

/** A field that a colleague has changed to a value other than this form's. */
export interface Difference<Field extends string = string> {
  field: Field;
  yours: string;
  now: string;
  /** It was changed here, too; otherwise the shop's current value is preselected. */
  isYoursToo: boolean;
}

interface Props<Field extends string> {
  /** What happened. */
  title: string;
  differences: readonly Difference<Field>[];
  labels: Readonly<Record<Field, string>>;
  /** @returns a value as the form would show it; `other` is the one beside it */
  inWords: (field: Field, value: string, other: string) => string;
  onChoose: (field: Field, value: string) => void;
  /** Below the choices. */
  children?: ReactNode;
}

/**
 * Shows both values of each field that a colleague has changed meanwhile, so that no change is lost unseen. Fields
 * changed only here are no conflict.
 */
export function ConflictPanel<Field extends string>({ title, differences, children, ...choice }: Props<Field>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles['panel']} role="alert" aria-labelledby="conflict">
      <h2 id="conflict" ref={heading} tabIndex={-1}>
        <Icon name="alert" />
        {title}
      </h2>
      <p>{adminMessages.chooseAndSave}</p>
      {differences.map((difference) => (
        <Choice key={difference.field} difference={difference} {...choice} />
      ))}
      {children}
    </section>
  );
}

type ChoiceProps<Field extends string> = Pick<Props<Field>, 'labels' | 'inWords' | 'onChoose'> & {
  difference: Difference<Field>;
};

function Choice<Field extends string>({ difference, labels, inWords, onChoose }: ChoiceProps<Field>) {
  const { field, yours, now, isYoursToo } = difference;
  const [isYours, setYours] = useState(isYoursToo);
  useEffect(() => {
    onChoose(field, isYours ? yours : now);
    // oxlint-disable-next-line react/exhaustive-deps -- notifies the form when the choice changes
  }, [isYours]);
  const option = (isThis: boolean, label: string, value: string, other: string) => (
    <label className={styles['option']}>
      <input type="radio" name={`keep-${field}`} checked={isYours === isThis} onChange={() => setYours(isThis)} />
      <small>{label}</small>
      <span className={styles['value']}>{inWords(field, value, other)}</span>
    </label>
  );
  return (
    <fieldset className={styles['choice']}>
      <legend>{labels[field]}</legend>
      {option(true, 'Yours', yours, now)}
      {option(false, 'In the shop now', now, yours)}
    </fieldset>
  );
}
