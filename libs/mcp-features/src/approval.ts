/**
 * The member of an elicitation's `_meta` that is `true` if an agent asks its user whether it may call a tool. Only the user answers it; by
 * default operators do not.
 */
export const APPROVAL = 'longhaul/approval';
