import { userInfo } from 'node:os';

/** The user of this machine, for the audit log. */
export function localName(): string {
  try {
    return `local:${userInfo().username}`;
  } catch {
    // A container may run as a user who has no name.
    return `local:${process.getuid?.() ?? 'unknown'}`;
  }
}
