import { useState } from 'react';
import { importErrors, importLimitsOf } from '../../../shared/imports';
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
  const [most, setMost] = useState<number>();
  const choose = async (file: File) => {
    const { fileBytes } = importLimitsOf(await headerOf(file));
    const isTooLarge = file.size > fileBytes;
    setMost(isTooLarge ? fileBytes : undefined);
    if (isTooLarge) upload.reset();
    else onChoose(file);
  };
  return (
    <FileDrop
      title={title}
      label={most !== undefined || upload.problem ? 'Choose another file' : 'Choose file'}
      isBusy={upload.isPending}
      onChoose={(file) => void choose(file)}
    >
      <UploadState upload={upload} tooLarge={most === undefined ? undefined : importErrors.tooLarge(most)} />
    </FileDrop>
  );
}

const headerBytes = 4096;

/** @returns the names of the columns, as far as they tell whether the file is the shop's own */
async function headerOf(file: File): Promise<string[]> {
  const [line = ''] = (await file.slice(0, headerBytes).text()).split(/\r|\n/, 1);
  return line.split(/[,;\t]/).map((name) => name.replaceAll('"', ''));
}
