/** How long a user may take over a form or a page, milliseconds. */
export const FORM_LIMIT_MS = 600_000;
//# sourceMappingURL=form-limit.js.map