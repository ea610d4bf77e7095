/** People count messages from 1, the API from 0. */

export function messageNumber(index: number): number {
  return index + 1;
}

export function numberRange(first: number, last: number): string {
  return first === last ? `#${messageNumber(first)}` : `#${messageNumber(first)}–${messageNumber(last)}`;
}
