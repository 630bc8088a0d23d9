import type { RefObject } from 'react';
import { pictureAccept } from '../../shared/pictureUploads';

interface Props {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** A phone opens its camera instead of asking for a file. */
  capture?: 'environment';
  onChoose: (file: File | undefined) => void;
}

/** A browser's chooser of files, out of sight: a button opens it. */
export const PictureInput = ({ ref, label, capture, onChoose }: Props) => (
  <input
    ref={ref}
    type="file"
    accept={pictureAccept}
    capture={capture}
    hidden
    aria-label={label}
    onChange={(event) => {
      onChoose(event.currentTarget.files?.[0]);
      event.currentTarget.value = ''; // the same file may be chosen again
    }}
  />
);
