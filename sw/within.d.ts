/** @returns the result of `pending`, or undefined when it fails or takes longer */
export declare function within<Result>(ms: number, pending: Promise<Result>): Promise<Result | undefined>;
