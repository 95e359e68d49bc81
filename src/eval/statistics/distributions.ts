/** The distributions that intervals and tests need. */

/** The 0.975 quantile of the standard normal distribution: 95 % lie within this many standard deviations. */
export const z95 = 1.959963984540054;

const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Returns ln Γ(x) for x > 0 (Lanczos, g = 7). */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const base = x + 6.5;
  const sum = lanczos.reduce((total, coefficient, i) => total + (i === 0 ? coefficient : coefficient / (x - 1 + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

const tiny = 1e-300;
const near = (value: number) => (Math.abs(value) < tiny ? tiny : value);

/** Returns the continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / near(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / near(1 + even * d);
    c = near(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / near(1 + odd * d);
    c = near(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

/** Returns the regularized incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

/** Returns the two-sided p of Student's t. */
export const tTest = (t: number, degrees: number): number =>
  Number.isFinite(t) ? incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) : 0;

/** Returns the 0.975 quantile of Student's t, by bisection. */
export function t95(degrees: number): number {
  let [low, high] = [z95 - 0.001, 13];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (tTest(middle, degrees) > 0.05) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Returns the probability of k successes in n trials at ½ each. */
export const halfBinomial = (k: number, n: number): number =>
  Math.exp(logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) - n * Math.LN2);
