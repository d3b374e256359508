/** The part of a server of S3 that the tests use; its package has no types. */
declare module 's3rver' {
  export interface Listing {
    readonly objects: readonly { readonly key: string }[];
    readonly commonPrefixes: readonly string[];
    readonly isTruncated: boolean;
  }
  export interface ListOptions {
    readonly prefix?: string;
    readonly delimiter?: string;
  }
  export default class S3rver {
    readonly store: { listObjects(bucket: string, options: ListOptions): Promise<Listing> };
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
