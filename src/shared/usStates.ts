/** The states of an address, by their two-letter codes. Rule: docs/rules/accounts.md, Addresses */

/** The 50 states, the District of Columbia, then U.S. territories and military addresses. */
const names: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  DC: 'District of Columbia',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
  GU: 'Guam',
  AS: 'American Samoa',
  MP: 'Northern Mariana Islands',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
};

const codes = Object.keys(names);

/** The settings, or the public facts of the shop, which leave it out while it is off. */
export type ShopTerritories = { territories?: boolean };

/** Whether the shop takes addresses there. Any text that is not a territory's code is taken. */
export const takesState = (code: string, { territories = false }: ShopTerritories): boolean =>
  territories || codes.indexOf(code) <= codes.indexOf('DC');

/** @param kept codes that stay in the list, because something stored has them @returns the codes of the shop's states */
export const statesOf = (shop: ShopTerritories, kept: readonly string[] = []): string[] =>
  codes.filter((code) => takesState(code, shop) || kept.includes(code));

/** @returns the two-letter code for a code or name in any case, territories included; undefined for anything else */
export function findStateCode(codeOrName: string): string | undefined {
  const wanted = codeOrName.trim().toLowerCase();
  return codes.find((code) => [code, names[code]].some((text) => text?.toLowerCase() === wanted));
}

/** @returns 'Hawaii' for 'HI'; any text that is not a state's code unchanged */
export const stateName = (code: string): string => names[code] ?? code;
