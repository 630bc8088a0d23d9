import { useState } from 'react';
import { ActionButton } from '../ui/ActionButton';
import { Brand } from '../ui/Brand';
import { Button } from '../ui/Button';
import { ButtonLink } from '../ui/ButtonLink';
import chipStyles from '../ui/Chip.module.css';
import { IconButton } from '../ui/IconButton';
import { Pagination } from '../ui/Pagination';
import { QuantityStepper } from '../ui/QuantityStepper';
import styles from './Gallery.module.css';

const variants = ['solid', 'outline', 'ghost'] as const;
const sizes = ['sm', 'md', 'lg'] as const;

export function Buttons() {
  const [quantity, setQuantity] = useState(2);
  return (
    <>
      {variants.map((variant) => (
        <div key={variant} className={styles['states']}>
          {sizes.map((size) => (
            <Button key={size} variant={variant} size={size}>
              {`Button ${variant} ${size}`}
            </Button>
          ))}
          <Button variant={variant} colorPalette="error">
            Delete
          </Button>
          <ButtonLink to="/" variant={variant}>
            Home
          </ButtonLink>
        </div>
      ))}
      <div className={styles['states']}>
        <ActionButton>Save</ActionButton>
        <ActionButton isBusy>Save</ActionButton>
        <ActionButton isBusy busyText="Saving">
          Save
        </ActionButton>
        <ActionButton isOff>Save</ActionButton>
        <IconButton icon="cross" label="Close" />
        <IconButton icon="trash" label="Remove" disabled />
      </div>
      <div className={styles['states']}>
        <button type="button" className={chipStyles['chip']}>
          Filters
        </button>
        <button type="button" className={`${chipStyles['chip']} ${chipStyles['on']}`}>
          Heat: mild
        </button>
      </div>
      <div className={styles['states']}>
        <QuantityStepper name="Cumin" value={quantity} max={5} onChange={(change) => setQuantity(quantity + change)} />
        <QuantityStepper name="Basil" value={0} min={0} max={5} onChange={() => undefined} />
        <QuantityStepper name="Cloves" value={5} max={5} onChange={() => undefined} />
      </div>
      <div className={styles['states']}>
        <Pagination page={1} totalPages={1} isAlwaysThere />
        <Pagination page={4} totalPages={12} />
      </div>
      <div className={styles['states']}>
        <Brand />
      </div>
    </>
  );
}
