/** The pages behind mailed links: rarely visited, so they share one chunk. */
export { ConfirmEmailPage } from './ConfirmEmailPage';
export { ForgotPasswordPage } from './ForgotPasswordPage';
export { InvitationPage } from './InvitationPage';
export { ResetPasswordPage } from './ResetPasswordPage';
