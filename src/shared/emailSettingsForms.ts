import * as z from './zod';
import { hasAtMost, isFilled, isStorable, matches, ruledText } from './addressForms';
import { emailRule } from './authForms';
import { errorMessages } from './errorMessages';

const serverRequired = 'Enter the server, such as smtp.example.com';
const portRange = 'Enter a port from 1 to 65535';
const security = 'Choose the security';

/** A host name or an IP address, also one in brackets. */
const host = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?|\[?[\da-f:.]+\]?)$/iu;

/** Not trimmed, and no search for card numbers: it belongs to the mail provider. */
const secret = (maxLength: number) =>
  ruledText([
    [hasAtMost(maxLength), `Use ${maxLength} characters or fewer`],
    [isStorable, errorMessages.notStorable],
  ]);

export const emailSettingsForm = z.object({
  host: ruledText(
    [
      [isFilled, serverRequired],
      [hasAtMost(253), serverRequired],
      [matches(host), serverRequired],
    ],
    z.string(serverRequired).trim(),
  ),
  port: z.number(portRange).int(portRange).min(1, portRange).max(65_535, portRange),
  security: z.enum(['none', 'starttls', 'tls'], security),
  user: secret(254).exactOptional(),
  password: secret(256).exactOptional(),
  sender: emailRule,
  currentPassword: z.string().min(1, 'Enter your current password'),
  otp: z.string().trim().max(64).exactOptional(),
});

export const testEmailForm = z.object({ to: emailRule });
