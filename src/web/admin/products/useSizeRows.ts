import { useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { typedSizeInWords } from '../../../shared/typedSizes';
import { shortSize } from '../../../shared/unitPrice';
import type { ApiError } from '../../server/errors';
import { toast } from '../../ui/toast';
import { useShopFacts } from '../../ui/shopFacts';
import type { StaffProduct } from './queries';
import {
  isSameField,
  mergeRows,
  type ProductFormValues,
  rowsOf,
  rowsToSend,
  type SizeField,
  type SizeRow,
} from './sizeRows';

type Form = Pick<UseFormReturn<ProductFormValues>, 'getValues' | 'resetField' | 'setValue' | 'setError' | 'setFocus'>;
type Errors = ApiError['errors'];

export type SizeRows = ReturnType<typeof useSizeRows>;

/**
 * The rows of other sizes in the product form.
 * @param sizes as the form was opened
 */
export function useSizeRows({ getValues, resetField, setValue, setError, setFocus }: Form, sizes: SizeRow[]) {
  const opened = useRef(sizes);
  const [shownOpened, setShownOpened] = useState(sizes);
  const { units } = useShopFacts();
  const rows = () => getValues('sizes');
  const restart = (from: SizeRow[], now: SizeRow[]) => {
    opened.current = from;
    setShownOpened(from);
    resetField('sizes', { defaultValue: from });
    setValue('sizes', now, { shouldDirty: true });
  };
  const nameOf = (row: SizeRow | undefined) =>
    (row && (shortSize(typedSizeInWords(row, units)) || row.name)) || 'a size';
  const showErrors = (errors: Errors, places: readonly number[]) => {
    const wrong = errors.flatMap(({ field, message }) => {
      const { row, name } = partsOf(field);
      return name ? [{ name: `sizes.${places[row] ?? 0}.${name}` as const, message }] : [];
    });
    for (const { name, message } of wrong) setError(name, { message });
    return wrong[0]?.name;
  };
  return {
    /** The rows as the form last showed them from the shop, for rendering. */
    opened: shownOpened,
    toSend: () => rowsToSend(rows(), opened.current),
    /** Shows the errors of rows. Those of other fields are left to the form. */
    showErrors: (errors: Errors) => {
      const first = showErrors(errors, rowsToSend(rows(), opened.current).places);
      if (first) setFocus(first);
    },
    /** Called after a save, with the shop's product. Without it, the rows that were just created are left out. */
    learn: (product: StaffProduct | undefined) => {
      const saved = product ? rowsOf(product).rows : rows().filter(({ id, isRemoved }) => id !== '' && !isRemoved);
      restart(saved, saved);
    },
    /**
     * Called when a save was rejected because of a colleague's change: takes over what was not typed here.
     * @returns whether the colleague changed a field that was typed here, or took out a size that was changed here;
     * the sizes with such fields, and the first of these fields
     */
    showChange: (product: StaffProduct, errors: Errors) => {
      const [before, fresh, sent] = [opened.current, rowsOf(product).rows, rowsToSend(rows(), opened.current)];
      const ids = sent.places.map((place) => rows()[place]?.id ?? '');
      const gone = errors.flatMap(({ field, message }) => {
        const { list, index } = goneIn.exec(field)?.groups ?? {};
        const id = (list === 'sizes' ? ids : sent.removedSizes)[Number(index)];
        const row = rows().find((each) => index !== undefined && each.id === id);
        return row ? [`${capitalized(nameOf(row))}: ${message}`] : [];
      });
      const isElsewhere = ({ field }: Errors[number]) => {
        const { row, name } = partsOf(field);
        const [was, now] = [before, fresh].map((some) => some.find(({ id }) => id === ids[row]));
        return name !== undefined && was !== undefined && (!now || !isSameField(name, was, now));
      };
      const wrong = errors.filter(isElsewhere);
      restart(fresh, mergeRows(rows(), before, fresh));
      const placesNow = ids.map((id) => rows().findIndex((row) => row.id === id));
      const shown = wrong.filter(({ field }) => placesNow[partsOf(field).row] !== -1);
      const first = showErrors(shown, placesNow);
      if (gone.length > 0) toast.error(gone.join('. '));
      return {
        isConflict: wrong.length > 0 || gone.length > 0,
        changedSizes: [...new Set(shown.map(({ field }) => nameOf(rows()[placesNow[partsOf(field).row] ?? 0])))],
        first,
      };
    },
  };
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Of a row whose size is deleted, or is no longer one of this product. The form doesn't have it anymore then. */
const goneIn = /^(?<list>sizes|removedSizes)\.(?<index>\d+)(?:\.(?:id|archived))?$/;

/** @returns of 'sizes.1.price' the row and the field */
function partsOf(field: string): { row: number; name: SizeField | undefined } {
  const { row, name } = /^sizes\.(?<row>\d+)\.(?<name>\w+)$/.exec(field)?.groups ?? {};
  return { row: Number(row), name: name as SizeField | undefined };
}
