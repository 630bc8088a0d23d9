/**
 * Reads and discards the body: until it is read to the end, the browser counts the request as in flight, and so does
 * code that waits for the network to be idle.
 * @returns the response, for its headers
 */
export function discardBody(response: Response): Response {
  void response.text().catch(() => undefined);
  return response;
}
