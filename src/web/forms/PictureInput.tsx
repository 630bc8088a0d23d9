import type { RefObject } from 'react';
import { pictureAccept } from '../../shared/pictureUploads';

interface Props {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** Phones open the camera instead of the file chooser. */
  capture?: 'environment';
  isMultiple?: boolean;
  onChoose: (files: readonly File[]) => void;
}

/** A hidden file input; a button opens it. */
export const PictureInput = ({ ref, label, capture, isMultiple = false, onChoose }: Props) => (
  <input
    ref={ref}
    type="file"
    accept={pictureAccept}
    capture={capture}
    multiple={isMultiple}
    hidden
    aria-label={label}
    onChange={(event) => {
      onChoose([...(event.currentTarget.files ?? [])]);
      event.currentTarget.value = ''; // so that the same file can be chosen again
    }}
  />
);
