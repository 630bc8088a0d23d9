import { useQuery } from '@tanstack/react-query';
import { categoryTitle } from '../../../shared/catalog';
import { catalogStaffMessages } from '../../../shared/catalogStaff';
import {
  productFieldNames,
  productFields,
  productParts,
  type ProductField,
  type ProductFieldName,
  type ProductPart,
} from '../../../shared/productFields';
import { heatWords } from '../../../shared/productFilters';
import { ReadFailure } from '../../connection/ReadFailure';
import { SelectField, TextAreaField, TextField } from '../../ui/FormField';
import form from '../ui/form.module.css';
import { fieldLabels, type ProductValues } from './productValues';
import { categoryChoicesQuery } from './queries';

interface Props {
  /** Registers a field with the form; includes its error. */
  field: (name: keyof ProductValues) => { name: string; error: string | undefined };
  /** The form's initial values: a select needs its value as defaultValue, too, or it counts as edited. */
  values: ProductValues;
  /** Fields that are elsewhere in the form: in the table of sizes. */
  hidden: readonly (keyof ProductValues)[];
}

/** The required fields. */
export function ProductFields({ field, values, hidden }: Props) {
  const read = useQuery(categoryChoicesQuery());
  const known = read.data ?? [];
  // the product's own category is an option even while the others load
  const { category } = values;
  const isKnown = !category || known.some(({ name }) => name === category);
  const categories = isKnown ? known : [{ name: category, title: null }, ...known];
  return (
    <section className={form['box']} aria-label="Product">
      <TextField label={fieldLabels.name} autoComplete="off" {...field('name')} />
      {!hidden.includes('price') && (
        <div className={form['two']}>
          <TextField label={fieldLabels.price} inputMode="decimal" step="0.01" autoComplete="off" {...field('price')} />
          <TextField label={fieldLabels.quantity} inputMode="numeric" autoComplete="off" {...field('quantity')} />
        </div>
      )}
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
          failure={catalogStaffMessages.listCategoriesForStaff.failure}
          back={{ to: '/products', label: 'Products' }}
        />
      )}
      <TextAreaField label={fieldLabels.description} rows={4} {...field('description')} />
    </section>
  );
}

const optional = productFieldNames.filter((name) => !productFields[name].isRequired);

/** The optional fields in their parts, from the table of product fields. Rule: docs/rules/catalog.md, Products */
export function MoreFields({ field, values, hidden }: Props) {
  const shownFields = optional.filter((name) => !hidden.includes(name));
  return (
    <>
      {(Object.keys(productParts) as ProductPart[]).map((part) => (
        <section key={part} className={form['box']} aria-labelledby={`part-${part}`}>
          <h2 id={`part-${part}`} className={form['heading']}>
            {productParts[part]}
          </h2>
          {inPairs(shownFields.filter((name) => (productFields[name].part ?? 'details') === part)).map((names) => {
            const shown = names.map((name) => (
              <OptionalField key={name} name={name} value={values[name]} field={field} />
            ));
            if (names.length === 1) return shown;
            return (
              <div key={names.join()} className={form['two']}>
                {shown}
              </div>
            );
          })}
        </section>
      ))}
    </>
  );
}

type OptionalProps = Pick<Props, 'field'> & { name: ProductFieldName; value: string };

function OptionalField({ name, value, field }: OptionalProps) {
  const about = productFields[name];
  const { label, hint } = about;
  const choices = choicesOf(about);
  if (choices)
    return (
      <SelectField label={label} defaultValue={value} {...field(name)}>
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </SelectField>
    );
  const input = { label, autoComplete: 'off', ...(hint !== undefined && { hint }), ...field(name) };
  if (about.kind === 'text' && about.rows) return <TextAreaField {...input} rows={about.rows} />;
  if (about.kind === 'month') return <TextField {...input} type="month" placeholder="2028-05" />;
  return <TextField {...input} {...(about.kind === 'money' && { inputMode: 'decimal' })} />;
}

/** @returns values and labels of the options; undefined for a text field */
function choicesOf(about: ProductField): [string, string][] | undefined {
  if (about.kind === 'flag') return ['true', 'false'].map((text, which) => [text, about.words[which] ?? '']);
  if (about.kind === 'choice') return [notSpecified, ...Object.entries(about.choices)];
  if (about.kind !== 'level') return undefined;
  const levels = Array.from({ length: about.most + 1 }, (_, level): [string, string] => [
    String(level),
    `${heatWords[level]} (${level} of ${about.most})`,
  ]);
  return [notSpecified, ...levels];
}

const notSpecified: [string, string] = ['', 'Not specified'];

/** Two consecutive half-width fields share a row. */
function inPairs(names: readonly ProductFieldName[]): ProductFieldName[][] {
  const pairs: ProductFieldName[][] = [];
  for (const name of names) {
    const last = pairs.at(-1);
    const isSecond = last?.length === 1 && [...last, name].every((each) => productFields[each].isHalf);
    if (isSecond) last.push(name);
    else pairs.push([name]);
  }
  return pairs;
}
