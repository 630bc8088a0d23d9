import { courierPartsOf } from '../../../shared/addressLines';
import type { Schema } from '../../../shared/contract';
import type { AddressRow } from './addresses';
import { presentAvatar } from './avatar';
import type { UserWithAddresses } from './service';

/** The user in the contract's shape. Fields are listed one by one, so that no column (the password hash) leaks. */
export function presentUser(user: UserWithAddresses): Schema<'User'> {
  const createdAt = user.createdAt.toISOString();
  return {
    id: user.id,
    fullName: user.fullName,
    email: user.email,
    role: user.role,
    createdAt,
    joinDate: createdAt,
    isEnabled: user.isEnabled,
    hasSecondFactor: user.totpConfirmedAt !== null,
    isEmailProven: user.emailProvenAt !== null,
    imageUrl: user.imageUrl,
    picture: presentAvatar(user.imageUrl),
    phoneNumber: user.phoneNumber,
    dob: user.dob,
    description: user.description,
    addresses: user.addresses.map(presentAddress),
  };
}

function presentAddress({ isLastUsed, ...address }: AddressRow): Schema<'Address'> {
  const { id, street, city, state, postalCode, country } = address;
  const courier = courierPartsOf(address);
  return { id, street, city, state, postalCode, ...courier, country, ...(isLastUsed && { isLastUsed }) };
}
