import { useState } from 'react';
import { initialsOf } from '../../shared/initials';
import type { Schema } from '../../shared/contract';
import { pictureFile } from '../../shared/pictures';
import styles from './Avatar.module.css';

interface Props {
  fullName: string;
  picture: Schema<'User'>['picture'];
  /** Sets the size of the picture and of the initials. */
  className?: string | undefined;
}

/** A user's picture beside their name, or their initials. Rule: docs/rules/accounts.md, Picture */
export const Avatar = ({ fullName, picture, className = '' }: Props) => (
  <span className={`${styles['avatar']} ${className}`} aria-hidden="true">
    {picture ? <Face key={picture.base} fullName={fullName} picture={picture} /> : initialsOf(fullName)}
  </span>
);

/** Devices never store users' pictures, so offline the initials are shown. */
function Face({ fullName, picture: { base, widths } }: { fullName: string; picture: Schema<'UserPicture'> }) {
  const [isMissing, setMissing] = useState(false);
  const [width = 0] = widths;
  if (isMissing) return initialsOf(fullName);
  return (
    <picture>
      <source type="image/avif" srcSet={pictureFile(base, width, 'avif')} />
      <img
        src={pictureFile(base, width, 'webp')}
        alt=""
        width={width}
        height={width}
        decoding="async"
        onError={() => setMissing(true)}
      />
    </picture>
  );
}
