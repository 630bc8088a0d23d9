import { carrierLabels, parcelMessages as messages } from '../../../shared/parcels';
import type { Parcel } from './parcelQueries';

/** @returns 'USPS 9400 1118' */
export const trackedAs = ({ carrier, trackingNumber }: Parcel): string => {
  if (trackingNumber === null) return carrier === 'other' ? messages.untracked : carrierLabels[carrier];
  return carrier === 'other' ? trackingNumber : `${carrierLabels[carrier]} ${trackingNumber}`;
};
