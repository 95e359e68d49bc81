import { stem } from './stem.ts';

const list =
  'a about after all also am an and any are as at be because been before being between both but by can could did do ' +
  'does doing done during each either for from further had has have having he her here hers him his how however i if ' +
  'in into is it its itself just may me might more most much must my neither no nor not of off on once only or other ' +
  'our ours out over own s same shall she should so some such t than that the their theirs them then there these they ' +
  'this those through thus to too under until up upon us very was we were what when where whether which while who ' +
  'whom whose why will with within without would yet you your yours d ll m re ve don doesn didn isn aren wasn weren ' +
  'hasn haven hadn won wouldn couldn shouldn';

/** English words that say nothing about the topic of a text. */
export const stopwordList: readonly string[] = list.split(' ');

/** The same, stemmed as terms are. */
export const stopwords: ReadonlySet<string> = new Set(stopwordList.map(stem));
