import styles from './reports.module.css';

interface Props<Value extends string> {
  legend: string;
  /** Of the radio buttons. */
  name: string;
  /** The label of each value, in display order. */
  labels: Readonly<Record<Value, string>>;
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** One of a few values, as a row of segments. */
export function Choice<Value extends string>({ legend, name, labels, chosen, onChoose }: Props<Value>) {
  return (
    <fieldset className={styles['seg']}>
      <legend className="sr-only">{legend}</legend>
      {(Object.keys(labels) as Value[]).map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === chosen} onChange={() => onChoose(each)} />
          {labels[each]}
        </label>
      ))}
    </fieldset>
  );
}
