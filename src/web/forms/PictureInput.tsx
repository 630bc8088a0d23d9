import type { RefObject } from 'react';
import { pictureAccept } from '../../shared/pictureUploads';

interface Props {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** Phones open the camera instead of the file chooser. */
  capture?: 'environment';
  onChoose: (file: File | undefined) => void;
}

/** A hidden file input; a button opens it. */
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
      event.currentTarget.value = ''; // so that the same file can be chosen again
    }}
  />
);
