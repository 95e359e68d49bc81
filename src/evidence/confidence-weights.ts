/** Weights of a logistic function for each kind of answer. */
export const confidenceWeights = {
  answer: { constant: 0.2, tellsAll: 1.2, tellsPart: -0.8, faults: -1.5, cited: 0.6, stepped: 0.3 },
  checkedAnswer: {
    constant: -3,
    tellsAll: 1,
    tellsPart: -0.8,
    faults: -0.5,
    meanSupport: 1,
    leastSupport: 1,
    score: 3,
    stepped: 0.3,
  },
  absence: { constant: 0, stepped: 1.5 },
  checkedAbsence: { constant: -2, score: 3.5, stepped: 1 },
  small: { constant: -1.5, answerable: 2.5, faults: -1, cited: 0.5 },
} as const;
