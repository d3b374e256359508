// Writes the fields of a JSON Schema as rows of a Markdown table.

/** @typedef {Record<string, any>} Schema a JSON Schema, or a part of one */

/**
 * A row for each field of an object's schema: its name, type, default and meaning.
 *
 * @param {Schema} schema
 * @returns {string[][]}
 */
export function schemaRows(schema) {
  /** @type {string[]} */
  const required = schema['required'] ?? [];
  return Object.entries(/** @type {Record<string, Schema>} */ (schema['properties'] ?? {})).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    defaultOf(field, required.includes(name)),
    field['description'] ?? field['title'] ?? '',
  ]);
}

/**
 * @param {Schema} field
 * @param {boolean} isRequired
 */
function defaultOf(field, isRequired) {
  if ('default' in field) return code(field['default']);
  return isRequired ? 'required' : '';
}

/**
 * @param {Schema} field
 * @returns {string}
 */
function typeOf(field) {
  if (Array.isArray(field['enum'])) return field['enum'].map(code).join(', ');
  if ('const' in field) return code(field['const']);
  /** @type {Schema[] | undefined} */
  const choices = field['anyOf'] ?? field['oneOf'];
  if (choices !== undefined) return choices.map(typeOf).join(' or ');
  if (field['type'] === 'array') return `list of: ${typeOf(field['items'] ?? {})}`;
  return [[field['type'] ?? 'anything'].flat().join(' or '), ...limitsOf(field)].join(', ');
}

/** The rules for a value in addition to its type, in the order in which they are printed. */
const LIMITS = {
  format: 'format ',
  pattern: 'pattern ',
  minimum: 'at least ',
  exclusiveMinimum: 'more than ',
  maximum: 'at most ',
  exclusiveMaximum: 'less than ',
  minLength: 'length at least ',
  maxLength: 'length at most ',
};

/** @param {Schema} field */
function limitsOf(field) {
  return Object.entries(LIMITS).flatMap(([keyword, words]) => {
    const value = field[keyword];
    // The range that zod gives every whole number is no limit of the feature.
    return value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER
      ? []
      : [words + (keyword === 'pattern' ? code(value) : value)];
  });
}

/** @param {unknown} value */
function code(value) {
  return `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``;
}
