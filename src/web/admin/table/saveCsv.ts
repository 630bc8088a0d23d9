/** Saves a text as a file of its name, as a link to it would. */
export function saveCsv(csv: string, fileName: string): void {
  // the mark at the beginning tells spreadsheets that it is UTF-8; reading a text takes it away
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv.replace(/^\uFEFF/, '')], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
