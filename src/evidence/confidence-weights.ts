/** Weights of a logistic function for each kind of answer, fitted by `npm run fit:confidence`. */
export const confidenceWeights = {
  answer: { constant: 0.13, tellsAll: 1.48, tellsPart: -1.35, faults: 0, cited: 1.02, stepped: 2.27 },
  checkedAnswer: {
    constant: -1.18,
    tellsAll: 0.39,
    tellsPart: -1.57,
    faults: 0,
    meanSupport: 0,
    leastSupport: 0,
    score: 3.6,
    stepped: 2.14,
  },
  absence: { constant: 2.3, stepped: 0.58 },
  checkedAbsence: { constant: -3.06, score: 6.43, stepped: 0 },
  small: { constant: -0.43, answerable: 0, faults: 0, cited: 0.12 },
} as const;
