/** What the server is called unless it is set otherwise. */
export const DEFAULT_NAME = 'longhaul';

/** Who the server says it is. */
export interface ServerIdentity {
  readonly name: string;
  /** For people. */
  readonly title?: string;
  /** Absent: that of Longhaul. */
  readonly version?: string;
  /** An `https:` URL or a `data:` URI. */
  readonly icon?: string;
}
