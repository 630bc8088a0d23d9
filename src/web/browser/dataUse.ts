export const reducedData = '(prefers-reduced-data: reduce)';

/** Whether the device or its user asks for reduced data use. */
export const savesData = (): boolean => navigator.connection?.saveData === true || matchMedia(reducedData).matches;
