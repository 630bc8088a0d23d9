/** The test provider for a shop under test, and its control routes. */
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox';

const controlToken = 'control-token-of-the-tests';

export type ProviderKeys = { secretKey: string; webhookSecret: string };

type Provider = { keys: ProviderKeys; folder: string; now: () => Date };

/** The test provider on the payments of `folder`. */
export const startProvider = ({ keys, folder, now }: Provider): Promise<Sandbox> =>
  startSandbox({
    ...keys,
    folder,
    now,
    port: 0,
    hosts: ['127.0.0.1'],
    webhookUrl: undefined,
    shopName: 'Savory, Seasoning & Spices',
    controls: { token: controlToken },
  });

/** Calls the control routes of the test provider. */
export async function control(sandbox: Sandbox, action: string, body: object = {}): Promise<unknown> {
  const isRead = action === 'ledger';
  const response = await fetch(`${sandbox.url}/_sandbox/${action}`, {
    method: isRead ? 'GET' : 'POST',
    headers: { 'x-sandbox-token': controlToken, 'content-type': 'application/json' },
    ...(!isRead && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`the sandbox answered ${action} with ${response.status}: ${await response.text()}`);
  return response.json();
}
