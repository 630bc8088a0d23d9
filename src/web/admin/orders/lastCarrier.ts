/** The carrier that was chosen last on this device, which the next package starts with. */
import { lastCarrierKey } from '../../../shared/deviceNames';
import { type Carrier, carriers } from '../../../shared/parcels';
import { readText, writeText } from '../../browser/storage';

export const readLastCarrier = (): Carrier => carriers.find((each) => each === readText(lastCarrierKey)) ?? 'usps';

export const writeLastCarrier = (carrier: Carrier): void => void writeText(lastCarrierKey, carrier);
