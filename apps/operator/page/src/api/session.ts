/** Knows who uses the page. */
import { computed, signal } from '@preact/signals';
import type { Operator } from '../../../src/answers.js';

/** `unknown` until the API has answered; undefined before a login. */
export const session = signal<Operator | 'unknown' | undefined>('unknown');

/** Whether the present operator may change something. Readers see the same as others. */
export const mayOperate = computed(() => typeof session.value === 'object' && session.value.role === 'operate');

/** Ends the login in this page. */
export function forgetSession(): void {
  session.value = undefined;
}
