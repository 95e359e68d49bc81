/** Weights of a logistic function for each kind of answer, fitted by `npm run fit:confidence`. */
export const confidenceWeights = {
  answer: { constant: 0.19, tellsAll: 1.59, tellsPart: -1.4, faults: 0, cited: 0.72, stepped: 0 },
  checkedAnswer: {
    constant: -3.67,
    tellsAll: 0,
    tellsPart: -0.33,
    faults: 0,
    meanSupport: 0,
    leastSupport: 0,
    score: 6.7,
    stepped: 0,
  },
  absence: { constant: 2.17, stepped: 0 },
  checkedAbsence: { constant: -3.03, score: 6.34, stepped: 0 },
  small: { constant: -1.5, answerable: 2.5, faults: -1, cited: 0.5 },
} as const;
