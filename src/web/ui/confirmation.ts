interface Checked {
  touchedFields: { confirmPassword?: boolean | undefined };
  isSubmitted: boolean;
}

/**
 * For `register('password', …)`: the confirmation is checked again with the password, once it was checked at all. Before
 * that it would be said to be missing while the password is still typed.
 */
export function withConfirmation({ touchedFields, isSubmitted }: Checked): { deps: 'confirmPassword'[] } {
  return { deps: touchedFields.confirmPassword || isSubmitted ? ['confirmPassword'] : [] };
}
