/** Saves a text as a download with the given file name. */
export function saveCsv(csv: string, fileName: string): void {
  // the byte order mark tells spreadsheets that it is UTF-8; reading the response as text has removed it
  const url = URL.createObjectURL(new Blob(['\uFEFF', csv.replace(/^\uFEFF/, '')], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
