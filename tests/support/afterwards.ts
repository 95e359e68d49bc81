type Work = () => unknown;

const works = { test: new Set<Work>(), file: new Set<Work>() };

/**
 * Does this after every test, or after every file. A module that tests import is loaded once for all files
 * (`isolate: false`), so that a hook of its own would be one of the first file alone.
 */
export const afterEvery = (what: 'test' | 'file', work: Work): void => void works[what].add(work);

export const finish = async (what: 'test' | 'file'): Promise<void> => {
  for (const work of works[what]) await work();
};
