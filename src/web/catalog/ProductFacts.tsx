import type { ReactNode } from 'react';
import type { Schema } from '../../shared/contract';
import { HeatDots } from './HeatDots';
import styles from './ProductFacts.module.css';

/** What else is known about a product; a missing fact leaves its row out. */
export function ProductFacts({ product }: { product: Schema<'Product'> }) {
  const { productCategory, unitSize, origin, heatLevel, allergens, otherNames } = product;
  return (
    <dl className={styles['facts']}>
      <Fact name="Category">
        <span className="cap">{productCategory.name}</span>
      </Fact>
      {unitSize && <Fact name="Size">{unitSize}</Fact>}
      {origin && <Fact name="Origin">{origin}</Fact>}
      {heatLevel !== null && (
        <Fact name="Heat">
          <HeatDots level={heatLevel} />
        </Fact>
      )}
      <Fact name="Allergens">
        {allergens.length > 0 ? <span className="cap">{allergens.join(', ')}</span> : 'None listed'}
      </Fact>
      {otherNames.length > 0 && <Fact name="Also called">{otherNames.join(', ')}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
