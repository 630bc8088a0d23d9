/** Messages of empty fields. Separate from the form rules, for pages that do not load zod. */
export const isRequired = 'This field is required';
export const isNameRequired = 'Enter a name';
export const isFullNameRequired = 'Enter a full name';
export const isCodeRequired = 'Enter a code';
export const isReasonRequired = 'Enter a reason';
export const isEmailRequired = 'Email is required';
export const isPasswordRequired = 'Password is required';
