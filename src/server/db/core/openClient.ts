import { Client, type ClientConfig } from 'pg';
import { markLostConnection } from './errors';

/**
 * Opens a dedicated connection for work that needs a session: migrations, roles, backups. The caller closes it.
 * @throws what the connection failed with; isDatabaseOutOfReach tells whether the database could not be reached
 */
export async function openClient(config: ClientConfig): Promise<Client> {
  const client = new Client(config);
  client.on('error', markLostConnection); // the running query reports the error
  try {
    await client.connect();
  } catch (error) {
    markLostConnection(error);
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}
