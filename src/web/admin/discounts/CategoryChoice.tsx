import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { categoryTitle } from '../../../shared/catalog';
import { discountStaffMessages as messages } from '../../../shared/discountsStaff';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { SelectField } from '../../ui/FormField';
import { categoryChoicesQuery } from '../products/queries';
import own from './discounts.module.css';
import type { DiscountValues } from './discountValues';

interface Props {
  form: Pick<UseFormReturn<DiscountValues, unknown, unknown>, 'setValue' | 'formState'>;
  /** null: all categories. */
  chosen: string[] | null;
}

/** Everything, or some categories. A chosen category that has been deleted stays until it is removed. */
export function CategoryChoice({ form: { setValue, formState }, chosen }: Props) {
  const read = useQuery(categoryChoicesQuery());
  const { data: categories = [] } = read;
  const choose = (ids: string[] | null) =>
    setValue('categoryIds', ids, { shouldDirty: true, shouldValidate: formState.isSubmitted });
  const gone = (read.data ? (chosen ?? []) : []).filter((id) => !categories.some((category) => category.id === id));
  const all = [
    ...categories.map((category) => ({ id: category.id, title: categoryTitle(category) })),
    ...gone.map((id) => ({ id, title: messages.deletedCategory })),
  ];
  const error = formState.errors.categoryIds?.message;
  return (
    <>
      <SelectField
        label="Applies to"
        value={chosen ? 'some' : 'all'}
        onChange={(event) => choose(event.currentTarget.value === 'all' ? null : [])}
      >
        <option value="all">All products</option>
        <option value="some">Specific categories</option>
      </SelectField>
      {!read.data && read.error && (
        <div className={own['categories']}>
          <ReadFailure
            read={read}
            failure={catalogStaffMessages.listCategoriesForStaff.failure}
            back={{ to: '/admin/discounts', label: 'Discounts' }}
          />
        </div>
      )}
      {chosen && (
        <fieldset className={own['categories']}>
          <legend className={own['legend']}>Categories</legend>
          <div className={own['checks']}>
            {all.map(({ id, title }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={chosen.includes(id)}
                  onChange={(event) =>
                    choose(event.currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
                  }
                />
                {title}
              </label>
            ))}
          </div>
          {error && (
            <p className={own['error']} role="alert">
              {error}
            </p>
          )}
        </fieldset>
      )}
    </>
  );
}
