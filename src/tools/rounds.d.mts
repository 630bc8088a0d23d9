export declare const alone: readonly string[];
export declare const longForms: readonly string[];
export declare const ownDatabase: readonly string[];
