import { Fragment } from 'react';
import { addressLines, type PostalAddress } from '../../shared/addressLines';

/** The lines of an address, below the recipient's name if there is one. */
export const AddressLines = ({ name, address }: { name?: string; address: PostalAddress }) =>
  [...(name === undefined ? [] : [name]), ...addressLines(address)].map((line, at) => (
    <Fragment key={`${at} ${line}`}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ));
