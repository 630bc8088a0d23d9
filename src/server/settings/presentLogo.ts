import type { Schema } from '../../shared/contract';
import type { StoredLogo } from '../db/schema/tables';
import { logoFile } from '../pictures/logo';

export const presentLogo = ({ hash, width, height }: StoredLogo): Schema<'Logo'> => ({
  src: `/pictures/${logoFile(hash, 'webp')}`,
  width,
  height,
});
