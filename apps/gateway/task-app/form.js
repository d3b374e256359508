/**
 * A form for what a task asks. A sandbox may forbid to submit forms, so none is submitted: its buttons read the fields and check them.
 */

/** @typedef {{ readonly type?: string, readonly title?: string, readonly description?: string, readonly format?: string, readonly enum?: readonly string[], readonly enumNames?: readonly string[], readonly oneOf?: readonly Choice[], readonly anyOf?: readonly Choice[], readonly items?: Field, readonly default?: unknown, readonly minLength?: number, readonly maxLength?: number, readonly minimum?: number, readonly maximum?: number, readonly minItems?: number, readonly maxItems?: number }} Field */
/** @typedef {{ readonly const: string, readonly title?: string }} Choice */
/** @typedef {{ readonly properties?: Readonly<Record<string, Field>>, readonly required?: readonly string[] }} Schema */
/** @typedef {{ readonly element: HTMLElement, read(): unknown }} Shown what is shown for a field; it reads nothing where nothing was entered */
/** @typedef {{ readonly form: HTMLFormElement, read(): Record<string, unknown> | undefined }} ShownForm it reads nothing as long as a field is wrong */

const TYPES = /** @type {Readonly<Record<string, string>>} */ ({
  email: 'email',
  uri: 'url',
  date: 'date',
  'date-time': 'datetime-local',
});

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {object} [properties]
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/**
 * @param {Schema} schema
 * @returns {ShownForm}
 */
export function createFields({ properties = {}, required = [] }) {
  const fields = Object.entries(properties).map(([name, field]) => ({ name, shown: shownField(name, field, required.includes(name)) }));
  const form = element(
    'form',
    { noValidate: false },
    fields.map(({ shown }) => shown.element),
  );
  return {
    form,
    read() {
      if (!form.reportValidity()) return undefined;
      const given = fields.map(({ name, shown }) => [name, shown.read()]);
      return Object.fromEntries(given.filter(([, value]) => value !== undefined));
    },
  };
}

/**
 * @param {string} name
 * @param {Field} field
 * @param {boolean} isRequired
 * @returns {Shown}
 */
function shownField(name, field, isRequired) {
  if (field.type === 'boolean') return shownSwitch(name, field);
  if (field.type === 'array') return shownChoices(name, field);
  const choices = choicesOf(field);
  return choices === undefined ? shownInput(name, field, isRequired) : shownSelect(name, field, choices, isRequired);
}

/**
 * @param {Field} field
 * @returns {readonly Choice[] | undefined}
 */
function choicesOf({ enum: values, enumNames, oneOf, anyOf }) {
  return oneOf ?? anyOf ?? values?.map((value, index) => ({ const: value, title: enumNames?.[index] ?? value }));
}

/**
 * @param {string} name
 * @param {Field} field
 * @param {Node} control
 */
function labelled(name, { title, description }, control) {
  return element('label', {}, [title ?? name, control, ...(description === undefined ? [] : [element('small', {}, [description])])]);
}

/**
 * @param {string} name
 * @param {Field} field
 * @returns {Shown}
 */
function shownSwitch(name, field) {
  const control = element('input', { name, type: 'checkbox', checked: field.default === true });
  return { element: labelled(name, field, control), read: () => control.checked };
}

/**
 * @param {string} name
 * @param {Field} field
 * @param {readonly Choice[]} choices
 * @param {boolean} required
 * @returns {Shown}
 */
function shownSelect(name, field, choices, required) {
  const options = choices.map(({ const: value, title }) => new Option(title ?? value, value, value === field.default));
  const control = element('select', { name, required }, [new Option('', ''), ...options]);
  if (typeof field.default === 'string') control.value = field.default;
  return { element: labelled(name, field, control), read: () => (control.value === '' ? undefined : control.value) };
}

/**
 * @param {string} name
 * @param {Field} field
 * @returns {Shown}
 */
function shownChoices(name, { title, description, items = {}, minItems = 0, maxItems = Infinity, default: chosen }) {
  const boxes = (choicesOf(items) ?? []).map(({ const: value, title: shown }) => ({
    shown: shown ?? value,
    box: element('input', { name, type: 'checkbox', value, checked: Array.isArray(chosen) && chosen.includes(value) }),
  }));
  const checked = () => boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
  const check = () => {
    const count = checked().length;
    const limit = maxItems === Infinity ? '' : ` and at most ${maxItems}`;
    boxes[0]?.box.setCustomValidity(count < minItems || count > maxItems ? `Choose at least ${minItems}${limit}.` : '');
  };
  const set = element('fieldset', { onchange: check }, [
    element('legend', {}, [title ?? name]),
    ...(description === undefined ? [] : [description]),
    ...boxes.map(({ shown, box }) => element('label', {}, [box, ` ${shown}`])),
  ]);
  check();
  return { element: set, read: checked };
}

/**
 * @param {string} name
 * @param {Field} field
 * @param {boolean} required
 * @returns {Shown}
 */
function shownInput(name, field, required) {
  const isNumber = field.type === 'number' || field.type === 'integer';
  const control = element('input', { name, required, type: isNumber ? 'number' : (TYPES[field.format ?? ''] ?? 'text') });
  const limits = { min: field.minimum, max: field.maximum, minLength: field.minLength, maxLength: field.maxLength };
  for (const [limit, value] of Object.entries(limits)) if (value !== undefined) control.setAttribute(limit, String(value));
  if (isNumber) control.step = field.type === 'integer' ? '1' : 'any';
  const { default: entered } = field;
  if (typeof entered === 'string' || typeof entered === 'number')
    control.value = field.format === 'date-time' ? localTime(String(entered)) : String(entered);
  const read = () => {
    if (control.value === '') return undefined;
    if (isNumber) return control.valueAsNumber;
    return field.format === 'date-time' ? new Date(control.value).toISOString() : control.value;
  };
  return { element: labelled(name, field, control), read };
}

/**
 * @param {string} text an instant
 * @returns {string} the same as the user's clock shows it
 */
function localTime(text) {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
