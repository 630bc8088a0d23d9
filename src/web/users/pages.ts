/** The account pages by name, so that the first load needn't list each of their files. */
const pages = {
  profile: async () => (await import('./ProfilePage')).ProfilePage,
  editProfile: async () => (await import('./EditProfilePage')).EditProfilePage,
  password: async () => (await import('./ChangePasswordPage')).ChangePasswordPage,
  secondFactor: async () => (await import('./SecondFactorPage')).SecondFactorPage,
  addresses: async () => (await import('./AddressesPage')).AddressesPage,
};

export type AccountPage = keyof typeof pages;

export const loadPage = async (name: AccountPage) => ({ default: await pages[name]() });
