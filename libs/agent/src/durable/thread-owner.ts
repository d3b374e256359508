/** Why a caller has no threads. */
export const NO_OWNER =
  'A thread belongs to a caller, and nothing is known of the one of this request: authenticate, send a header Longhaul-Caller-Secret, or use a session, as protocol versions up to 2025-11-25 have.';
