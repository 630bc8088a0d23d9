import { type FormEvent, useEffect, useRef, useState } from 'react';
import { parseCode } from '../../shared/pastedCodes';
import { minusLine } from '../../shared/totalLines';
import { toCents } from '../../shared/money';
import { ActionButton } from '../ui/ActionButton';
import { Icon } from '../ui/Icon';
import { IconButton } from '../ui/IconButton';
import styles from './DiscountCode.module.css';
import type { Total } from './useTotal';

const problemId = 'code-refused';

/** A link, which a field replaces, and the applied code. An order has one code: a second one replaces the first. */
export function DiscountCode({ total, isFixed }: { total: Total; isFixed: boolean }) {
  const { code, quote, refusedCode } = total;
  const [isOpen, setOpen] = useState(code !== undefined);
  const field = useRef<HTMLInputElement>(null);
  const applied = code === undefined ? null : quote?.discount;
  useEffect(() => {
    if (isOpen && code === undefined) field.current?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- only when it opens
  }, [isOpen]);
  const remove = () => {
    total.removeCode();
    field.current?.focus();
  };
  if (!isOpen && refusedCode === undefined && !applied)
    return (
      <div className={styles['box']}>
        <button type="button" className={`link ${styles['open']}`} onClick={() => setOpen(true)}>
          Add a discount code
        </button>
      </div>
    );
  return (
    <div className={styles['box']}>
      <CodeField total={total} field={field} isFixed={isFixed} />
      {applied && (
        <span className={styles['chip']}>
          <ChipWords discount={applied} />
          {!isFixed && <IconButton icon="cross" label={`Remove code ${applied.code}`} onClick={remove} />}
        </span>
      )}
    </div>
  );
}

interface FieldProps {
  total: Total;
  field: React.RefObject<HTMLInputElement | null>;
  isFixed: boolean;
}

function CodeField({ total, field, isFixed }: FieldProps) {
  const { code, quote, refusedCode, isLoading } = total;
  const [text, setText] = useState('');
  const isApplying = isLoading && code !== undefined && code !== quote?.discount?.code;
  const [tried, setTried] = useState<string>();
  if (tried !== undefined && quote?.discount?.code === tried && !isApplying) {
    setTried(undefined); // the chip shows it now
    setText('');
  }
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (isFixed || isApplying || text.trim() === '') return;
    setTried(parseCode(text) ?? text.trim());
    total.applyCode(text);
  };
  return (
    <form className={styles['field']} onSubmit={apply}>
      <label htmlFor="discount-code">Discount code</label>
      <input
        ref={field}
        id="discount-code"
        value={text}
        maxLength={60}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        aria-invalid={refusedCode !== undefined || undefined}
        aria-describedby={refusedCode === undefined ? undefined : problemId}
        onChange={(event) => setText(event.target.value)}
      />
      <ActionButton type="submit" variant="outline" isOff={isFixed || isApplying}>
        {isApplying ? 'Applying…' : 'Apply'}
      </ActionButton>
      {refusedCode !== undefined && (
        <p id={problemId} className={styles['problem']} role="alert">
          <Icon name="alert" size={16} />
          {refusedCode}
        </p>
      )}
    </form>
  );
}

function ChipWords({ discount: { code, amount } }: { discount: { code: string; amount: number } }) {
  if (amount === 0) return <span>{code}</span>;
  const { text, spoken } = minusLine(code, toCents(amount));
  return (
    <span className="tabular">
      {code} <span aria-hidden="true">{text}</span>
      <span className="sr-only">{spoken}</span>
    </span>
  );
}
