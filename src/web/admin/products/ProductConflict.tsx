import { productMessages } from '../../../shared/catalogStaff';
import { productFields, type ProductFieldName } from '../../../shared/productFields';
import { plainText } from '../../../shared/productTexts';
import { ConflictPanel, type Difference as AnyDifference } from '../ui/ConflictPanel';
import { fieldLabels, inWords, type ProductValues, valuesOf } from './productValues';
import { type StaffProduct, useCategoryChoices } from './queries';

type Difference = AnyDifference<keyof ProductValues>;

/** Why a save was rejected. */
export interface Conflict {
  differences: Difference[];
  /** The quantity before and after a concurrent change of the stock. */
  stock: { was: number; now: number } | undefined;
}

interface Props extends Conflict {
  onChoose: (field: keyof ProductValues, value: string) => void;
}

/** What a colleague has changed in the product meanwhile. */
export function ProductConflict({ differences, stock, onChoose }: Props) {
  const categories = useCategoryChoices();
  return (
    <ConflictPanel
      title={productMessages.changedMeanwhile}
      differences={differences}
      labels={fieldLabels}
      inWords={(field, value) => inWords(field, value, categories)}
      onChoose={onChoose}
    >
      {stock && <p>{productMessages.stockNow(stock)}</p>}
    </ConflictPanel>
  );
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
