/**
 * Member of the `_meta` of an elicitation by which an agent asks its user whether it may call a tool, with the value `true`. Only the user
 * answers it; by default operators do not.
 */
export const APPROVAL = 'longhaul/approval';
