import {
  carrierLabels,
  carriers,
  parcelMessages as messages,
  recognizeCarrier,
  type Carrier,
} from '../../../shared/parcels';
import type { trackingFields } from '../../../shared/parcelForms';
import type * as z from '../../../shared/zod';
import type { ShopForm } from '../../forms/plainForm';
import { SelectField, TextField } from '../../ui/FormField';
import styles from '../ui/form.module.css';

export interface TrackingValues {
  carrier: Carrier;
  trackingNumber: string;
  trackingUrl: string;
  notify: boolean;
}

type Change = { target: { value: string } };

export type TrackingSent = z.output<typeof trackingFields>;
export type TrackingForm = ShopForm<TrackingValues, TrackingSent>;

interface Props {
  form: TrackingForm;
  /** Gets the carrier that staff choose in the list. */
  onChoose?: (carrier: Carrier) => void;
}

/** Number, carrier and link of a parcel. A number that looks like a carrier's chooses the carrier. */
export function TrackingFields({ form: { field, watch, setValue, formState }, onChoose }: Props) {
  const [number, carrier, link] = watch(['trackingNumber', 'carrier', 'trackingUrl']);
  const recognized = recognizeCarrier(number);
  const recognize = ({ target: { value } }: Change) => {
    const found = recognizeCarrier(value);
    if (found) setValue('carrier', found, { shouldDirty: true });
  };
  const choose = ({ target: { value } }: Change) => {
    const chosen = carriers.find((each) => each === value);
    if (chosen) onChoose?.(chosen);
  };
  return (
    <>
      <div className={styles['two']}>
        <TextField
          label="Tracking number"
          autoComplete="off"
          hint={
            recognized && recognized === carrier ? messages.recognized(carrierLabels[recognized]) : messages.numberHint
          }
          {...field('trackingNumber', { onChange: recognize })}
        />
        <SelectField
          label="Carrier"
          defaultValue={formState.defaultValues?.carrier}
          {...field('carrier', { onChange: choose })}
        >
          {carriers.map((each) => (
            <option key={each} value={each}>
              {carrierLabels[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {(carrier === 'other' || link !== '') && (
        <TextField
          label="Tracking link"
          type="url"
          inputMode="url"
          autoComplete="off"
          hint={carrier === 'other' ? messages.otherLinkHint : messages.linkHint}
          {...field('trackingUrl')}
        />
      )}
    </>
  );
}
