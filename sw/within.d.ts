/** @returns the result of `asked`, or undefined when it fails or takes longer */
export declare function within<Result>(ms: number, asked: Promise<Result>): Promise<Result | undefined>;
