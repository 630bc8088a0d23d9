/** What a field says that was left empty: apart from the forms' rules, for pages that go without zod. */
export const isRequired = 'This field is required';
export const isEmailRequired = 'Email is required';
export const isPasswordRequired = 'Password is required';
