import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { formatCount } from '../../../shared/counts';
import { catalogMessages, categoryTitle, stockNote } from '../../../shared/catalog';
import { formatMoney, toCents } from '../../../shared/money';
import {
  productFieldNames,
  productFields,
  type ProductField,
  type ProductFieldName,
} from '../../../shared/productFields';
import { factInWords } from '../../../shared/productTexts';
import { Heat } from '../../catalog/core/HeatDots';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { Picture } from '../../ui/Picture';
import { Thumbnail } from '../../ui/Thumbnail';
import { AdminHead, Pending } from '../ui/AdminHead';
import { AdminIcon } from '../ui/AdminIcon';
import { Facts } from '../ui/Facts';
import form from '../ui/form.module.css';
import styles from './AdminProductPage.module.css';
import { DeleteDialog } from './DeleteDialog';
import { StockBadge } from './productColumns';
import { productQuery, type StaffProduct, useRestoreProduct } from './queries';
import { SizesBox } from './SizesBox';
import { StockLedger } from './StockLedger';

export function AdminProductPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery(productQuery(id));
  const { data: product } = query;
  return (
    <>
      <AdminHead title={product?.name ?? 'View Product'} back={{ to: '/products' }}>
        {product && <Actions product={product} />}
      </AdminHead>
      {product && (
        <div className={form['grid']}>
          <div className={form['stack']}>
            <section className={form['box']} aria-label="Product">
              <ProductFacts {...product} />
            </section>
            <SizesBox product={product} />
            <StockLedger product={product} />
          </div>
          <PicturePanel {...product} />
        </div>
      )}
      <Pending
        query={query}
        failure={catalogMessages.getProduct.failure}
        back={{ to: '/products', label: 'Products' }}
        what="the product"
        className={form['waiting']}
      />
    </>
  );
}

function Actions({ product }: { product: StaffProduct }) {
  const [isDeleting, setDeleting] = useState(false);
  const { mutate: restore } = useRestoreProduct();
  const navigate = useNavigate();
  const { id, archivedAt } = product;
  return (
    <>
      {archivedAt ? (
        <Button variant="outline" onClick={() => restore(id)}>
          <AdminIcon name="sync" />
          Restore Product
        </Button>
      ) : (
        <Button variant="ghost" colorPalette="error" color="error.fg" onClick={() => setDeleting(true)}>
          <AdminIcon name="trash" />
          Delete Product
        </Button>
      )}
      <ButtonLink to="/update/product/$id" params={{ id }}>
        <AdminIcon name="edit" />
        Edit Product
      </ButtonLink>
      {isDeleting && (
        <DeleteDialog
          product={product}
          onClose={() => setDeleting(false)}
          onDone={() => void navigate({ to: '/products' })}
        />
      )}
    </>
  );
}

function ProductFacts(product: StaffProduct) {
  const { name, description, price, availability, availabilityFlag, quantity, productCategory } = product;
  const note = stockNote({ availability: availabilityFlag, quantity });
  return (
    <Facts
      rows={[
        ['Name', name],
        ['Price', formatMoney(toCents(price))],
        ['Availability', <StockBadge key="badge" isAvailable={availability} />],
        ['Quantity', note && quantity > 0 ? `${formatCount(quantity)} (${note})` : formatCount(quantity)],
        ['Category', categoryTitle(productCategory)],
        ['Description', description],
        ...optionalFacts(product),
        ['Deleted', product.archivedAt && new Date(product.archivedAt).toLocaleString('en-US')],
      ]}
    />
  );
}

const optionalFacts = (product: StaffProduct) =>
  productFieldNames
    .filter((name) => !productFields[name].isRequired)
    .map((name): [string, ReactNode] => [productFields[name].label, shownFact(productFields[name], product[name])]);

/** @returns nothing if there is no value, or if a flag has its usual value, true */
function shownFact(field: ProductField, value: StaffProduct[ProductFieldName]): ReactNode {
  if (value === undefined || value === null || value === true || (Array.isArray(value) && value.length === 0))
    return null;
  if (value === false) return field.kind === 'flag' && field.words[1];
  if (field.kind === 'level') return <Heat level={Number(value)} />;
  return factInWords(field, [value].flat().join(', '));
}

function PicturePanel({ picture, pictureUpload, photos }: StaffProduct) {
  const waiting = photos.flatMap(({ state, message }) => (state === 'ready' || !message ? [] : [{ state, message }]));
  const notes = [...(pictureUpload ? [pictureUpload] : []), ...waiting];
  const others = photos.filter(({ imageUrl }) => imageUrl && imageUrl !== mainUrl(photos));
  return (
    <section className={form['box']} aria-labelledby="picture-heading">
      <h2 id="picture-heading" className={form['heading']}>
        {photos.length > 1 ? 'Photos' : 'Photo'}
      </h2>
      {picture ? (
        <Picture picture={picture} sizes="320px" className={styles['picture'] ?? ''} />
      ) : (
        <span className={styles['noPicture']}>
          <AdminIcon name="image" size={24} />
          No photo
        </span>
      )}
      {others.length > 0 && (
        <div className={styles['others']}>
          {others.map(({ id, imageUrl }) => (
            <Thumbnail key={id} imageUrl={imageUrl} />
          ))}
        </div>
      )}
      {notes.map(({ state, message }, index) => (
        <output key={index} className={state === 'failed' ? styles['failed'] : styles['note']}>
          <AdminIcon name={state === 'failed' ? 'alert' : 'clock'} size={16} />
          {message}
        </output>
      ))}
    </section>
  );
}

const mainUrl = (photos: StaffProduct['photos']) => photos.find(({ imageUrl }) => imageUrl)?.imageUrl;
