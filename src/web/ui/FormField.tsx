import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { fiveDigits } from '../../shared/postalCodes';
import { stateName, statesOf } from '../../shared/usStates';
import styles from './FormField.module.css';
import { Icon } from './Icon';
import { LaterIcon } from './LaterIcon';
import { useShopFacts } from './shopFacts';

interface FieldProps {
  label: string;
  /** The error message; while present, the field is marked as invalid. */
  error?: string | undefined;
  hint?: string | undefined;
  /** Marks the label where a form also has optional fields, and tells screen readers. */
  isNeeded?: boolean | undefined;
}

/** What the control of a field needs, so that screen readers say its label, and then its hint or error. */
interface ControlProps {
  id: string;
  className: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  'aria-required': boolean | undefined;
}

interface FrameProps extends FieldProps {
  /** Of the control, if the page gives one. */
  id: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/**
 * Label, control, then hint or error. Plain elements: the login and registration are the first pages of many visitors,
 * and Chakra's field would double their scripts.
 */
function FormField({ label, error, hint, isNeeded, id: givenId, children }: FrameProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const hasError = error !== undefined;
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
        {isNeeded && <span className={styles['needed']} aria-hidden="true" />}
      </label>
      {children({
        id,
        className: styles['control'],
        'aria-describedby': hasError ? errorId : hint && hintId,
        'aria-invalid': hasError || undefined,
        'aria-required': isNeeded,
      })}
      {hint && !hasError && (
        <span id={hintId} className={styles['hint']}>
          {hint}
        </span>
      )}
      {hasError && (
        <span id={errorId} className={styles['error']} aria-live="polite">
          <Icon name="alert" size={16} />
          {error}
        </span>
      )}
    </div>
  );
}

export const TextField = ({ label, error, hint, isNeeded, id, ...input }: FieldProps & ComponentProps<'input'>) => (
  <FormField label={label} error={error} hint={hint} isNeeded={isNeeded} id={id}>
    {(control) => <input {...control} {...input} />}
  </FormField>
);

/** A ZIP code. A typed, pasted or autofilled ZIP+4 is cut to its first five digits. */
export const PostalCodeField = ({
  onChange,
  ...input
}: Omit<FieldProps, 'label'> & { label?: string } & ComponentProps<'input'>) => (
  <TextField
    label="ZIP code"
    inputMode="numeric"
    autoComplete="postal-code"
    {...input}
    onChange={(event) => {
      const short = fiveDigits(event.currentTarget.value);
      if (short !== event.currentTarget.value) event.currentTarget.value = short;
      onChange?.(event);
    }}
  />
);

export const TextAreaField = ({
  label,
  error,
  hint,
  isNeeded,
  id,
  ...textarea
}: FieldProps & ComponentProps<'textarea'>) => (
  <FormField label={label} error={error} hint={hint} isNeeded={isNeeded} id={id}>
    {(control) => <textarea rows={5} {...control} {...textarea} />}
  </FormField>
);

/** A password input with a button that reveals it. */
export function PasswordField({ label, error, hint, isNeeded, id, ...input }: FieldProps & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false);
  return (
    <FormField label={label} error={error} hint={hint} isNeeded={isNeeded} id={id}>
      {(control) => (
        <div className={styles['password']}>
          <input type={shown ? 'text' : 'password'} {...control} {...input} />
          <button
            type="button"
            className={styles['toggle']}
            aria-label="Show password"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <LaterIcon name="eye" />
          </button>
        </div>
      )}
    </FormField>
  );
}

export const SelectField = ({
  label,
  error,
  hint,
  isNeeded,
  id,
  children,
  ...select
}: FieldProps & ComponentProps<'select'>) => (
  <FormField label={label} error={error} hint={hint} isNeeded={isNeeded} id={id}>
    {(control) => (
      <div className={styles['select']}>
        <select {...control} {...select}>
          {children}
        </select>
        <Icon name="chevronDown" size={16} />
      </div>
    )}
  </FormField>
);

/** One of the shop's states. */
export const StateField = (select: Omit<FieldProps, 'label'> & ComponentProps<'select'>) => (
  <SelectField label="State" {...select}>
    <option value="">Select</option>
    {statesOf(useShopFacts()).map((code) => (
      <option key={code} value={code}>
        {stateName(code)} ({code})
      </option>
    ))}
  </SelectField>
);
