type Work = () => unknown;

const works = { test: new Set<Work>(), file: new Set<Work>() };

/**
 * Calls a function after every test, or after every file. A module that tests import is loaded once for all files
 * (`isolate: false`), so its own hook would run only for the first file.
 */
export const afterEvery = (what: 'test' | 'file', work: Work): void => void works[what].add(work);

export const finish = async (what: 'test' | 'file'): Promise<void> => {
  for (const work of works[what]) await work();
};
