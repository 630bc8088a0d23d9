import { isRequired } from '../../shared/required';
import { AddressLines } from '../ui/AddressLines';
import { CourierField } from '../ui/CourierField';
import { PasswordField, PostalCodeField, SelectField, StateField, TextAreaField, TextField } from '../ui/FormField';
import styles from './Gallery.module.css';

const wrong = isRequired;
const kitchen = { street: '12 Market Street', city: 'Atlanta', state: 'GA', postalCode: '30303' };

export const Fields = () => (
  <div className={styles['wide']}>
    <TextField label="Name" defaultValue="Lamin" />
    <TextField label="Email" hint="The receipt goes there." />
    <TextField label="Street" error={wrong} />
    <TextField label="City" defaultValue="Banjul" disabled />
    <TextAreaField label="Message" hint="A few words are enough." />
    <TextAreaField label="Note" error={wrong} />
    <PasswordField label="Password" defaultValue="a password" />
    <PasswordField label="New password" error={wrong} />
    <SelectField label="Category">
      <option>Herbs</option>
      <option>Spices</option>
    </SelectField>
    <StateField error={wrong} />
    <PostalCodeField hint="Five digits" />
    <CourierField part="company" />
    <CourierField part="phone" />
    <address>
      <AddressLines name="Lamin Touray" address={{ ...kitchen, company: 'Kora Kitchen', street2: 'Suite 4' }} />
    </address>
  </div>
);
