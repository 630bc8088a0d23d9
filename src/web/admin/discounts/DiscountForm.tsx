import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { Schema } from '../../../shared/contract';
import { discountDaysForm } from '../../../shared/discountsForms';
import { discountStaffMessages as messages } from '../../../shared/discountsStaff';
import { parseMoney } from '../../../shared/moneyInput';
import { useFieldErrors } from '../../forms/plainForm';
import { useShopForm } from '../../forms/useShopForm';
import { knownZone } from '../../ui/shopTime';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/FormField';
import { useShopFacts } from '../../ui/shopFacts';
import { DollarsField } from '../ui/DollarsField';
import styles from '../ui/form.module.css';
import { SaveOrCancel } from '../ui/SaveOrCancel';
import { Toggle } from '../ui/Toggle';
import { useLeaveGuard } from '../ui/useLeaveGuard';
import { useStaffDraft } from '../useStaffDraft';
import { CategoryChoice } from './CategoryChoice';
import { CustomerView } from './CustomerView';
import own from './discounts.module.css';
import { type DiscountValues, emptyDiscount, saveTimes, randomCode, valuesOf } from './discountValues';
import type { Discount, useCreateDiscount } from './queries';

interface Props {
  /** undefined: a new one. */
  discount?: Discount;
  save: Pick<ReturnType<typeof useCreateDiscount>, 'mutate' | 'isPending' | 'error'>;
}

type Sent = Schema<'DiscountForm'>;

/** Rule: docs/rules/selling.md, Discount codes */
export function DiscountForm({ discount, save }: Props) {
  const timeZone = knownZone(useShopFacts().timeZone);
  const rules = useMemo(() => discountDaysForm(timeZone), [timeZone]);
  const form = useShopForm(rules, { defaultValues: discount ? valuesOf(discount, timeZone) : emptyDiscount });
  const { field, control, handleSubmit, formState, setError, setValue } = form;
  useStaffDraft(`discount ${discount?.id ?? 'new'}`, form);
  useFieldErrors(save.error, setError);
  const { question, allowLeaving } = useLeaveGuard(formState.isDirty);
  const navigate = useNavigate();
  const leave = () => {
    allowLeaving();
    void navigate({ to: '/admin/discounts' });
  };
  const submit = handleSubmit((checked) =>
    save.mutate(saveTimes(checked as Sent, discount, timeZone), { onSuccess: leave }),
  );
  const values = useWatch({ control }) as DiscountValues;
  const isUsed = (discount?.uses ?? 0) > 0;
  const number = (name: NumberName, setValueAs: (text: unknown) => unknown = asNumber) => ({
    ...field(name, { setValueAs }),
    inputMode: 'decimal' as const,
    autoComplete: 'off',
  });
  return (
    <form className={styles['grid']} noValidate onSubmit={(event) => void submit(event)}>
      <section className={styles['box']} aria-label="Discount code">
        <div className={own['made']}>
          <TextField
            label="Code"
            autoComplete="off"
            autoCapitalize="characters"
            readOnly={isUsed}
            {...(isUsed && { hint: messages.usedCode })}
            {...field('code')}
          />
          {!isUsed && (
            <Button
              variant="outline"
              onClick={() => setValue('code', randomCode(), { shouldDirty: true, shouldValidate: true })}
            >
              Generate code
            </Button>
          )}
        </div>
        <KindChoice form={form} kind={values.kind} isFixed={isUsed} />
        <div className={styles['two']}>
          {values.kind === 'percent' && <TextField key="percent" label="Percent" {...number('percent')} />}
          {values.kind === 'amount' && <DollarsField key="amount" label="Amount" {...number('amount', asDollars)} />}
          <CategoryChoice form={form} chosen={values.categoryIds} />
        </div>
        <hr className={own['line']} />
        <DollarsField label="Minimum purchase" hint="Leave blank for no minimum." {...number('minimum', asDollars)} />
        <div className={styles['two']}>
          <TextField label="Total uses" hint="Leave blank for no limit." {...number('maxUses')} />
          <TextField label="Uses per customer" hint="Leave blank for no limit." {...number('maxUsesPerCustomer')} />
        </div>
        <div className={styles['two']}>
          <TextField label="Start date" type="date" hint="Leave blank to start now." {...field('startsAt')} />
          <TextField
            label="End date"
            type="date"
            hint="The last day it works, in the shop's time zone."
            {...field('endsAt')}
          />
        </div>
        <TextField label="Note" autoComplete="off" hint="Staff only." {...field('note')} />
      </section>
      <div className={own['aside']}>
        <CustomerView values={values} timeZone={timeZone} />
        <OnOrOff isOn={values.isActive} onChange={(isOn) => setValue('isActive', isOn, { shouldDirty: true })} />
      </div>
      <SaveOrCancel what="save" isBusy={save.isPending} cancelTo="/admin/discounts" />
      {question}
    </form>
  );
}

function OnOrOff({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <section className={`${styles['box']} ${own['switch']}`} aria-label="Status">
      <span aria-hidden="true">Active</span>
      <Toggle label="Active" isOn={isOn} onChange={onChange} />
    </section>
  );
}

type NumberName = 'percent' | 'amount' | 'minimum' | 'maxUses' | 'maxUsesPerCustomer';

/** An empty field is null. Text that is not an amount stays as typed, so that the form can report it. */
function asDollars(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const cents = parseMoney(text);
  return text.trim() === '' ? null : typeof cents === 'number' ? cents / 100 : text;
}

/** An empty field is null; a comma counts as a decimal point. The form rejects anything that is not a number. */
function asNumber(text: unknown): number | null {
  const typed = typeof text === 'string' ? text.trim() : '';
  if (typeof text === 'number') return text;
  return typed === '' ? null : Number(typed.replace(',', '.'));
}

const kinds = { percent: 'Percentage', amount: 'Fixed amount', free_delivery: 'Free delivery' } as const;
const kindNames = Object.keys(kinds) as DiscountValues['kind'][];

interface KindProps {
  form: Pick<UseFormReturn<DiscountValues, unknown, unknown>, 'setValue' | 'clearErrors'>;
  kind: DiscountValues['kind'];
  isFixed: boolean;
}

function KindChoice({ form: { setValue, clearErrors }, kind, isFixed }: KindProps) {
  const choose = (next: DiscountValues['kind']) => {
    setValue('kind', next, { shouldDirty: true });
    for (const name of ['percent', 'amount'] as const) if (name !== next) setValue(name, null); // its field is no longer shown
    clearErrors(['percent', 'amount']);
  };
  return (
    <fieldset disabled={isFixed}>
      <legend className={own['legend']}>Discount type</legend>
      <div className={own['radios']}>
        {kindNames.map((each) => (
          <label key={each} className={own['radio']}>
            <input type="radio" name="kind" checked={each === kind} onChange={() => choose(each)} />
            {kinds[each]}
          </label>
        ))}
      </div>
      {isFixed && <p className={own['hint']}>{messages.usedKind}</p>}
    </fieldset>
  );
}
