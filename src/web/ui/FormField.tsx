import { Field } from '@chakra-ui/react/field';
import { Input, type InputProps } from '@chakra-ui/react/input';
import { NativeSelect } from '@chakra-ui/react/native-select';
import { Textarea, type TextareaProps } from '@chakra-ui/react/textarea';
import { fieldSlotRecipe, inputRecipe, nativeSelectSlotRecipe, textareaRecipe } from '@chakra-ui/react/theme';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { fiveDigits } from '../../shared/postalCodes';
import { usStates } from '../../shared/usStates';
import styles from './FormField.module.css';
import { Icon } from './Icon';
import { LaterIcon } from './LaterIcon';
import { Themed } from './Themed';

interface FieldProps {
  label: string;
  /** The error message; while present, the field is marked as invalid. */
  error?: string | undefined;
  hint?: string;
  /** Marks the label where a form also has optional fields, and tells screen readers. */
  isNeeded?: boolean | undefined;
}

/** Label, control, then hint or error; Chakra's Field links them for screen readers. */
export function FormField({ label, error, hint, isNeeded, children }: FieldProps & { children: ReactNode }) {
  return (
    <Themed>
      <Field.Root recipe={fieldSlotRecipe} invalid={error !== undefined} alignItems="stretch" gap="7px">
        <Field.Label textStyle="small" fontWeight="600" lineHeight="1.3">
          {label}
          {isNeeded && <span className={styles['needed']} aria-hidden="true" />}
        </Field.Label>
        {children}
        {hint && !error && (
          <Field.HelperText textStyle="small" color="fg.subtle">
            {hint}
          </Field.HelperText>
        )}
        <Field.ErrorText textStyle="small" fontWeight="500" lineHeight="1.35" gap="1.5">
          <Icon name="alert" size={16} />
          {error}
        </Field.ErrorText>
      </Field.Root>
    </Themed>
  );
}

/**
 * The focus ring for Chakra components, which would draw a thinner one. As separate properties: a recipe's
 * `outlineColor` keeps its earlier position, so a later `outline` shorthand would reset it.
 */
const focusRing = {
  outlineWidth: '3px',
  outlineStyle: 'solid',
  outlineColor: 'focusRing',
  outlineOffset: '2px',
} as const;

const control = {
  height: '12',
  textStyle: 'body',
  bg: 'bg.panel',
  borderColor: 'border.control',
  _invalid: { borderColor: 'border.error', boxShadow: 'inset 0 0 0 1px var(--c-colors-border-error)' },
  _focusVisible: focusRing,
} as const;

export function TextField({ label, error, hint, isNeeded, ...input }: FieldProps & InputProps) {
  return (
    <FormField label={label} error={error} isNeeded={isNeeded} {...(hint && { hint })}>
      <Input recipe={inputRecipe} px="3.5" aria-required={isNeeded} {...control} {...input} />
    </FormField>
  );
}

/** A ZIP code. A typed, pasted or autofilled ZIP+4 is cut to its first five digits. */
export const PostalCodeField = ({ onChange, ...input }: Omit<FieldProps, 'label'> & InputProps) => (
  <TextField
    label="Postal Code"
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

export function TextAreaField({ label, error, hint, isNeeded, ...textarea }: FieldProps & TextareaProps) {
  return (
    <FormField label={label} error={error} isNeeded={isNeeded} {...(hint && { hint })}>
      <Textarea
        aria-required={isNeeded}
        recipe={textareaRecipe}
        px="3.5"
        py="3"
        {...control}
        height="auto"
        rows={5}
        resize="vertical"
        {...textarea}
      />
    </FormField>
  );
}

/** A password input with a button that reveals it. */
export function PasswordField({ label, error, hint, ...input }: FieldProps & InputProps) {
  const [shown, setShown] = useState(false);
  return (
    <FormField label={label} error={error} {...(hint && { hint })}>
      <div className={styles['password']}>
        <Input recipe={inputRecipe} type={shown ? 'text' : 'password'} ps="3.5" pe="12" {...control} {...input} />
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
    </FormField>
  );
}

export function SelectField({ label, error, hint, children, ...select }: FieldProps & ComponentProps<'select'>) {
  return (
    <FormField label={label} error={error} {...(hint && { hint })}>
      <NativeSelect.Root recipe={nativeSelectSlotRecipe}>
        <NativeSelect.Field ps="3.5" {...control} {...select}>
          {children}
        </NativeSelect.Field>
        <NativeSelect.Indicator insetEnd="3.5">
          <Icon name="chevronDown" size={16} />
        </NativeSelect.Indicator>
      </NativeSelect.Root>
    </FormField>
  );
}

/** One of the 50 states, or DC. */
export function StateField(select: Omit<FieldProps, 'label'> & ComponentProps<'select'>) {
  return (
    <SelectField label="State" {...select}>
      <option value="">Select</option>
      {usStates.map(({ code, name }) => (
        <option key={code} value={code}>
          {name} ({code})
        </option>
      ))}
    </SelectField>
  );
}
