/** A multipart form as it goes over the wire, for `call` or inject. A list is sent as a repeated field. */
export function multipart(fields: object): { headers: Record<string, string>; body: Buffer } {
  const boundary = 'a-boundary-that-no-field-has';
  const parts = Object.entries(fields).flatMap(([name, values]) =>
    [values]
      .flat()
      .map(
        (value: unknown) =>
          `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
      ),
  );
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
  };
}
