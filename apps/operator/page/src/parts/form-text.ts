/** The entered text of a field: empty if the field is missing or takes a file. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** All values of fields with one name. */
export function textsIn(form: FormData, name: string): readonly string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}
