/** The default name of the server. */
export const DEFAULT_NAME = 'longhaul';

/** The server's identity. */
export interface ServerIdentity {
  readonly name: string;
  /** A readable name. */
  readonly title?: string;
  /** Absent: Longhaul's version. */
  readonly version?: string;
  /** An `https:` URL or a `data:` URI. */
  readonly icon?: string;
}
