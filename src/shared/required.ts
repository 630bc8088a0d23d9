/** Message of an empty field. Separate from the form rules, for pages that do not load zod. */
export const isRequired = 'This field is required';
export const isEmailRequired = 'Email is required';
export const isPasswordRequired = 'Password is required';
