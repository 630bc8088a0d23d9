import { useEffect, useRef, useState } from 'react';
import { productSays } from '../../../shared/catalogStaff';
import { Icon } from '../../ui/Icon';
import styles from './ConflictPanel.module.css';
import type { Difference } from './conflict';
import { fieldLabels, inWords, type ProductValues } from './productValues';

interface Props {
  differences: Difference[];
  onChoose: (field: keyof ProductValues, value: string) => void;
}

/** Both values of each field that somebody else changed meanwhile, side by side: nobody's change is lost unseen. */
export function ConflictPanel({ differences, onChoose }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles['panel']} role="alert" aria-labelledby="conflict">
      <h2 id="conflict" ref={heading} tabIndex={-1}>
        <Icon name="alert" />
        {productSays.changedMeanwhile}
      </h2>
      <p>{productSays.chooseAndSave}</p>
      {differences.map((difference) => (
        <Choice key={difference.field} difference={difference} onChoose={onChoose} />
      ))}
    </section>
  );
}

function Choice({ difference, onChoose }: { difference: Difference; onChoose: Props['onChoose'] }) {
  const { field, yours, now, isYoursToo } = difference;
  const [isYours, setYours] = useState(isYoursToo);
  useEffect(() => {
    onChoose(field, isYours ? yours : now);
    // oxlint-disable-next-line react/exhaustive-deps -- the form is told when the choice changes
  }, [isYours]);
  const option = (isThis: boolean, label: string, value: string) => (
    <label className={styles['option']}>
      <input type="radio" name={`keep-${field}`} checked={isYours === isThis} onChange={() => setYours(isThis)} />
      <small>{label}</small>
      <span className={styles['value']}>{inWords(field, value)}</span>
    </label>
  );
  return (
    <fieldset className={styles['choice']}>
      <legend>{fieldLabels[field]}</legend>
      {option(true, 'Yours', yours)}
      {option(false, 'Now in the shop', now)}
    </fieldset>
  );
}
