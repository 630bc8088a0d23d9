import { useId, useRef, useState } from 'react';
import { get, useFieldArray, type UseFormReturn, useWatch } from 'react-hook-form';
import type { SentProduct } from '../../../shared/catalogForms';
import { sizesMessages, stockReasons } from '../../../shared/catalogStaff';
import { countOf, formatCount } from '../../../shared/counts';
import { maxSizes } from '../../../shared/sizeGroups';
import { typedSize, typedSizeInWords, type TypedSize } from '../../../shared/typedSizes';
import { shortSize } from '../../../shared/unitPrice';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { takeFocus } from '../../ui/takeFocus';
import { useShopFacts } from '../../ui/shopFacts';
import { RowMenu } from '../table/RowMenu';
import { AdminIcon } from '../ui/AdminIcon';
import form from '../ui/form.module.css';
import { netFields, newRow, type ProductFormValues, type SizeField, sizeLabels } from './sizeRows';
import styles from './SizesTable.module.css';

type Form = Pick<
  UseFormReturn<ProductFormValues, unknown, SentProduct>,
  'control' | 'register' | 'formState' | 'setValue' | 'setFocus'
>;

interface Props {
  product: Form;
  /** The place of the product itself among its sizes. */
  ownPlace: number;
  /** A product that is not in the shop yet. */
  isNew: boolean;
}

const columns = ['sku', 'barcode', 'price', 'compareAtPrice', 'shippingGrams', 'quantity'] as const;
const figures: readonly SizeField[] = ['price', 'compareAtPrice', 'shippingGrams', 'quantity'];

/**
 * All sizes of a product: one row each, on a phone one card each. A product with one size has its fields elsewhere in
 * the form.
 * Rule: docs/rules/catalog.md, Sizes in the product form
 */
export function SizesTable({ product, ownPlace, isNew }: Props) {
  const { control } = product;
  const { fields, append, remove, update } = useFieldArray({ control, name: 'sizes', keyName: 'key' });
  const [added, setAdded] = useState(-1);
  const add = useRef<HTMLButtonElement>(null);
  const [rows, ownStock] = useWatch({ control, name: ['sizes', 'quantity'] });
  const left = rows.filter(({ isRemoved }) => !isRemoved);
  const stock = left.reduce((sum, { quantity }) => sum + (Number(quantity) || 0), Number(ownStock) || 0);
  const others = fields.map((field, index) => {
    const row = rows[index] ?? field;
    if (row.isRemoved)
      return (
        <RemovedRow
          key={field.key}
          row={row}
          onUndo={() => {
            update(index, { ...row, isRemoved: false });
            setTimeout(() => product.setFocus(`sizes.${index}.price`)); // the row is there after the next render
          }}
        />
      );
    const removeRow = () => {
      if (row.id) return update(index, { ...row, isRemoved: true });
      remove(index);
      add.current?.focus();
    };
    return (
      <Row key={field.key} product={product} index={index} row={row} isFirst={added === index} onRemove={removeRow} />
    );
  });
  const own = <Row key="own" product={product} isNew={isNew} />;
  return (
    <section className={`${form['box']} ${styles['box']}`} aria-labelledby="sizes-heading">
      <div className={styles['head']}>
        <h2 id="sizes-heading" className={form['heading']}>
          Sizes
        </h2>
        {fields.length > 0 && (
          <span className="muted tabular">
            {countOf(left.length + 1, 'size')}, {formatCount(stock)} in stock
          </span>
        )}
      </div>
      {fields.length > 0 && (
        <ul className={styles['rows']}>
          <li className={styles['columns']} aria-hidden="true">
            <span>Size</span>
            {columns.map((name) => (
              <span key={name} className={figures.includes(name) ? styles['figure'] : undefined}>
                {sizeLabels[name]}
              </span>
            ))}
          </li>
          {others.toSpliced(ownPlace, 0, own)}
        </ul>
      )}
      <div className={styles['foot']}>
        <Button
          ref={add}
          variant="outline"
          disabled={left.length + 1 >= maxSizes}
          onClick={() => {
            setAdded(fields.length);
            append(newRow, { shouldFocus: false });
          }}
        >
          <AdminIcon name="plus" />
          Add size
        </Button>
        <span className="muted">{fields.length > 0 ? sizesMessages.hint : sizesMessages.one}</span>
      </div>
    </section>
  );
}

type RowProps = { product: Form } & (
  | { index?: undefined; isNew: boolean }
  | { index: number; row: ProductFormValues['sizes'][number]; isFirst: boolean; onRemove: () => void }
);

/** A size. Without an index: the product itself, whose fields are those of the form. */
function Row({ product, ...row }: RowProps) {
  const at: At = (name) => (row.index === undefined ? name : `sizes.${row.index}.${name}`);
  const reasonAt = row.index === undefined ? 'stockReason' : (`sizes.${row.index}.stockReason` as const);
  const size = useSizeOf(product, at);
  const { units } = useShopFacts();
  const words = typedSizeInWords(size, units);
  const named = shortSize(words) || (row.index === undefined ? 'this product' : row.row.name || 'the new size');
  const { dirtyFields } = product.formState;
  const isNew = row.index === undefined ? row.isNew : row.row.id === '';
  const isCounted = get(dirtyFields, at('quantity')) === true && !isNew;
  const [nameId, reasonId] = [useId(), useId()];
  return (
    <li>
      <fieldset className={styles['row']} aria-labelledby={nameId}>
        <b id={nameId} className={styles['name']}>
          {words || (row.index === undefined ? 'This product' : row.row.name || 'New size')}
        </b>
        <SizeInput
          product={product}
          at={at}
          size={size}
          named={named}
          isFirst={isNew && row.index !== undefined && row.isFirst}
          isNew={isNew}
        />
        {columns.map((name) => (
          <Cell key={name} product={product} field={name} name={at(name)} named={named} isNew={isNew}>
            {name === 'quantity' && isCounted && (
              <>
                <label htmlFor={reasonId} className="sr-only">
                  Reason for {named}
                </label>
                <select id={reasonId} {...product.register(reasonAt)}>
                  {stockReasons.map((reason) => (
                    <option key={reason}>{reason}</option>
                  ))}
                </select>
              </>
            )}
          </Cell>
        ))}
        <span className={styles['menu']}>
          {row.index !== undefined && <Menu id={row.row.id} named={named} onRemove={row.onRemove} />}
        </span>
      </fieldset>
    </li>
  );
}

const Menu = ({ id, named, onRemove }: { id: string; named: string; onRemove: () => void }) => (
  <RowMenu
    of={named}
    entries={[
      ...(id ? [{ label: 'Edit details', icon: 'edit' as const, to: `/update/product/${id}` }] : []),
      { label: 'Delete size', icon: 'trash', isDangerous: true, onSelect: onRemove },
    ]}
  />
);

function RemovedRow({ row, onUndo }: { row: TypedSize & { name: string }; onUndo: () => void }) {
  const { units } = useShopFacts();
  return (
    <li className={styles['removed']}>
      <span>
        <s>{typedSizeInWords(row, units) || row.name}</s> <span className="muted">{sizesMessages.removed}</span>
      </span>
      <Button ref={takeFocus} variant="ghost" onClick={onUndo}>
        Undo
      </Button>
    </li>
  );
}

type Name = SizeField | `sizes.${number}.${SizeField}`;
type At = (name: SizeField) => Name;

function useSizeOf({ control }: Form, at: At): TypedSize {
  const [unitSize, netGrams, netMillilitres] = useWatch({ control, name: netFields.map(at) });
  return { unitSize: unitSize ?? '', netGrams: netGrams ?? '', netMillilitres: netMillilitres ?? '' };
}

type Wrong = { message?: string } | undefined;

interface CellProps {
  product: Form;
  field: (typeof columns)[number];
  name: Name;
  /** The size in a few words. */
  named: string;
  isNew: boolean;
  children?: React.ReactNode;
}

function Cell({ product, field, name, named, isNew, children }: CellProps) {
  const { register, formState } = product;
  const error: Wrong = get(formState.errors, name);
  return (
    <Frame label={sizeLabels[field]} named={named} error={error?.message}>
      {(control) => (
        <>
          <input
            {...control}
            {...register(name)}
            className={figures.includes(field) ? styles['figure'] : undefined}
            inputMode={inputModes[field]}
            data-changed={(!isNew && get(formState.dirtyFields, name) === true) || undefined}
          />
          {children}
        </>
      )}
    </Frame>
  );
}

const inputModes: { [Name in SizeField]?: 'decimal' | 'numeric' } = {
  barcode: 'numeric',
  price: 'decimal',
  compareAtPrice: 'decimal',
  quantity: 'numeric',
};

interface SizeInputProps {
  product: Form;
  at: At;
  size: TypedSize;
  named: string;
  /** Takes the focus when it appears. */
  isFirst: boolean;
  isNew: boolean;
}

/** One field for a net weight, a net volume, or any other size. The form has them as three fields. */
function SizeInput({ product, at, size, named, isFirst, isNew }: SizeInputProps) {
  const { units } = useShopFacts();
  const { formState, setValue } = product;
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && netFields.every((name) => typedSize(typed, units)[name] === size[name]);
  const words = typedSizeInWords(size, units);
  const error: Wrong = netFields.map((name): Wrong => get(formState.errors, at(name))).find(Boolean);
  const change = (text: string) => {
    setTyped(text);
    const next = typedSize(text, units);
    for (const name of netFields)
      setValue(at(name), next[name], { shouldDirty: true, shouldValidate: formState.isSubmitted });
  };
  return (
    <Frame label="Size" named={named} error={error?.message} hint={words.split(' (')[1]?.slice(0, -1)}>
      {(control) => (
        <input
          {...control}
          ref={isFirst ? takeFocus : undefined}
          name={at('unitSize')}
          placeholder="8 oz"
          value={isTyped ? typed : (shortSize(words) ?? '')}
          onChange={(event) => change(event.target.value)}
          data-changed={
            (!isNew && netFields.some((name) => get(formState.dirtyFields, at(name)) === true)) || undefined
          }
        />
      )}
    </Frame>
  );
}

interface FrameProps {
  label: string;
  named: string;
  error: string | undefined;
  hint?: string | undefined;
  children: (control: {
    id: string;
    autoComplete: 'off';
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => React.ReactNode;
}

/** Label, field, then hint or error. Above 1280 px the column's head stands for the label. */
function Frame({ label, named, error, hint, children }: FrameProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={`${form['cell']} ${styles['cell']}`}>
      <label htmlFor={id}>
        {label}
        <span className="sr-only"> of {named}</span>
      </label>
      {children({
        id,
        autoComplete: 'off',
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': note === undefined ? undefined : noteId,
      })}
      {note !== undefined && (
        <small
          id={noteId}
          className={`${form['hint']} ${error ? form['error'] : ''}`}
          aria-live={error ? 'polite' : undefined}
        >
          {error && <Icon name="alert" size={16} />}
          {note}
        </small>
      )}
    </div>
  );
}
