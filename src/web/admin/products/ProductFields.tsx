import { useQuery } from '@tanstack/react-query';
import { categoryTitle } from '../../../shared/catalog';
import { catalogStaffSays } from '../../../shared/catalogStaff';
import { ReadFailure } from '../../connection/ReadFailure';
import { SelectField, TextAreaField, TextField } from '../../ui/FormField';
import form from '../ui/form.module.css';
import { fieldLabels, type ProductValues } from './productValues';
import { categoryChoicesQuery } from './queries';

interface Props {
  /** Registers a field with the form; has its error. */
  field: (name: keyof ProductValues) => { name: string; error: string | undefined };
  /** What the form begins with: a choice needs it in the element, too, or counts as edited. */
  values: ProductValues;
}

/** What every product has. */
export function ProductFields({ field, values }: Props) {
  const read = useQuery(categoryChoicesQuery());
  const known = read.data ?? [];
  // what the product has is a choice already while the others are on their way
  const { category } = values;
  const isKnown = !category || known.some(({ name }) => name === category);
  const categories = isKnown ? known : [{ name: category, title: null }, ...known];
  return (
    <section className={form['box']} aria-label="Product">
      <TextField label={fieldLabels.name} autoComplete="off" {...field('name')} />
      <div className={form['two']}>
        <TextField label={fieldLabels.price} inputMode="decimal" step="0.01" autoComplete="off" {...field('price')} />
        <TextField label={fieldLabels.quantity} inputMode="numeric" autoComplete="off" {...field('quantity')} />
      </div>
      <div className={form['two']}>
        <SelectField label={fieldLabels.category} defaultValue={category} {...field('category')}>
          <option value="">Select</option>
          {categories.map(({ name, title }) => (
            <option key={name} value={name}>
              {categoryTitle({ name, title })}
            </option>
          ))}
        </SelectField>
        <SelectField label={fieldLabels.availability} defaultValue={values.availability} {...field('availability')}>
          <option value="true">Available</option>
          <option value="false">Not Available</option>
        </SelectField>
      </div>
      {!read.data && read.error && (
        <ReadFailure
          read={read}
          failure={catalogStaffSays.listCategoriesForStaff.failure}
          back={{ to: '/products', label: 'Products' }}
        />
      )}
      <TextAreaField label={fieldLabels.description} rows={4} {...field('description')} />
    </section>
  );
}

const heats = ['0', '1', '2', '3', '4', '5'];

/** What a product may have besides. Rule: docs/rules/catalog.md, Products */
export function MoreFields({ field, values }: Props) {
  return (
    <section className={form['box']} aria-labelledby="more-fields">
      <h2 id="more-fields" className={form['heading']}>
        Optional
      </h2>
      <div className={form['two']}>
        <TextField label={fieldLabels.unitSize} autoComplete="off" {...field('unitSize')} />
        <TextField label={fieldLabels.origin} autoComplete="off" {...field('origin')} />
      </div>
      <div className={form['two']}>
        <SelectField label={fieldLabels.heatLevel} defaultValue={values.heatLevel} {...field('heatLevel')}>
          <option value="">Not told</option>
          {heats.map((heat) => (
            <option key={heat} value={heat}>
              {heat} of 5
            </option>
          ))}
        </SelectField>
        <TextField
          label={fieldLabels.unitCost}
          inputMode="decimal"
          autoComplete="off"
          hint="What one costs the shop. Only staff see it."
          {...field('unitCost')}
        />
      </div>
      <SelectField label={fieldLabels.taxable} defaultValue={values.taxable} {...field('taxable')}>
        <option value="true">Taxable</option>
        <option value="false">Not taxable</option>
      </SelectField>
      <TextField
        label={fieldLabels.allergens}
        autoComplete="off"
        hint="With commas between them"
        {...field('allergens')}
      />
      <TextField
        label={fieldLabels.otherNames}
        autoComplete="off"
        hint="With commas between them. The search finds them."
        {...field('otherNames')}
      />
    </section>
  );
}
