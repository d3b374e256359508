/** The scope of an operator who may change things. */
export const OPERATE = 'operate';
