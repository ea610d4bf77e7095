/** Numbers inside sentences. */

const whole = new Intl.NumberFormat("en");

export function count(value: number): string {
  return whole.format(value);
}

export function plural(many: number, one: string, more = `${one}s`): string {
  return `${count(many)} ${many === 1 ? one : more}`;
}
