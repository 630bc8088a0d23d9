import type { ComponentProps } from 'react';
import type { courierParts } from '../../shared/addressLines';
import { TextField } from './FormField';

const parts = {
  company: { label: 'Company (optional)', autoComplete: 'organization' },
  street2: { label: 'Apartment, suite, etc. (optional)', autoComplete: 'address-line2' },
  phone: {
    label: 'Phone (optional)',
    type: 'tel',
    autoComplete: 'tel',
    hint: 'Only for questions about the delivery',
  },
} as const satisfies Record<(typeof courierParts)[number], object>;

/** A part of an address that may be left empty. Rule: docs/rules/accounts.md, Addresses */
export const CourierField = ({
  part,
  ...field
}: { part: keyof typeof parts } & Omit<ComponentProps<typeof TextField>, 'label'>) => (
  <TextField {...parts[part]} {...field} />
);
