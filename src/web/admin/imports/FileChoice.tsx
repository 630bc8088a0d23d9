import { useState } from 'react';
import { importErrors, importLimits } from '../../../shared/imports';
import { FileDrop } from './FileDrop';
import type { useStartImport } from './queries';
import { UploadState } from './UploadState';

interface Props {
  title: string;
  upload: ReturnType<typeof useStartImport>;
  onChoose: (file: File) => void;
}

/** A place for the file, with its upload's progress, or why it was refused and what to do. */
export function FileChoice({ title, upload, onChoose }: Props) {
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = (file: File) => {
    const isLarge = file.size > importLimits.fileBytes;
    setTooLarge(isLarge);
    if (isLarge) upload.reset();
    else onChoose(file);
  };
  return (
    <FileDrop
      title={title}
      label={isTooLarge || upload.problem ? 'Choose another file' : 'Choose file'}
      isBusy={upload.isPending}
      onChoose={choose}
    >
      <UploadState upload={upload} tooLarge={isTooLarge ? importErrors.tooLarge : undefined} />
    </FileDrop>
  );
}
