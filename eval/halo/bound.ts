/** What a zero is worth. Enters: in how many tries nothing came. Leaves: a bound on the rate. */
const CONFIDENCE = 0.95;

/**
 * The exact upper bound of Clopper and Pearson, one-sided at 95 %, for nothing in n independent
 * tries; 3 / n (the rule of three) is its approximation for large n.
 */
export const boundOfZero = (n: number): number => (n === 0 ? 1 : 1 - (1 - CONFIDENCE) ** (1 / n));
