export const reducedData = '(prefers-reduced-data: reduce)';

/** Whether the device or its owner asks for little data to be used. */
export const savesData = (): boolean => navigator.connection?.saveData === true || matchMedia(reducedData).matches;
