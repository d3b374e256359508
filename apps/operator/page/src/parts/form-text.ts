/** What was entered into a form, as text: a field that is not there, or takes a file, has none. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** All values of fields with one name. */
export function textsIn(form: FormData, name: string): readonly string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}
