/** Functions that the other parts share. Text becomes text nodes, never markup. */
const data = JSON.parse(document.getElementById('data').textContent);

/** The values of fields that are left out of the data because they are empty. */
const emptyRow = {
  ...{ certainty: null, assessment: null, answer: null, error: null, why: '', depth: 0, cacheHits: 0, calls: 0 },
  ...{ passages: [], cites: [], searches: [], steps: [], assumptions: [], tokens: [0, 0] },
};
const emptyExchange = {
  call: null,
  error: null,
  messages: null,
  reply: null,
  from: null,
  model: null,
  timeMs: null,
  cost: null,
};
data.rows = (data.rows ?? []).map((row) => ({ ...emptyRow, ...row }));
data.exchanges = (data.exchanges ?? []).map((exchange) => ({ ...emptyExchange, ...exchange }));

/** Creates an element. Null children are left out, and an attribute that is a function becomes a listener. */
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ''));
  return made;
}

const grouped = (count) => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
const counted = (count, word) => `${grouped(count)} ${word}${count === 1 ? '' : 's'}`;

/** Formats a time. Its spaces do not break. */
function durationText(ms) {
  if (ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}\u00a0s`;
  return `${Math.floor(ms / 60_000)}\u00a0min\u00a0${Math.round((ms % 60_000) / 1000)}\u00a0s`;
}

const moneyText = (usd) => (usd ? `$${usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}` : '');
const tokensText = ([input, output]) => (input + output === 0 ? '' : `${grouped(input)} in, ${grouped(output)} out`);
const joined = (...parts) => parts.filter(Boolean).join(' · ');

/** Returns a text in parts, in which marks such as `[1]` link to the sources of the answer. */
const withMarks = (text) =>
  text.split(/(\[\d+\])/).map((part) => {
    const [, number] = /^\[(\d+)\]$/.exec(part) ?? [];
    if (number === undefined || document.getElementById(`source-${number}`) === null) return part;
    return element('a', { class: 'mark', href: `#source-${number}`, 'data-source': number }, number);
  });

/** Creates a folded part. Its content is created when it is first opened. */
function folded(summary, make, className = 'fold') {
  const fold = element('details', { class: className }, element('summary', null, summary));
  fold.addEventListener('toggle', () => fold.open && fold.childElementCount === 1 && fold.append(...[make()].flat()));
  return fold;
}

const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
const scrollTo = (target) => target.scrollIntoView({ block: 'center', behavior: isCalm ? 'auto' : 'smooth' });

/** Opens the source of a citation mark. */
function openSource(number) {
  const source = document.getElementById(`source-${number}`);
  if (source === null) return;
  for (const other of document.querySelectorAll('.source.wanted')) other.classList.remove('wanted');
  source.classList.add('wanted');
  source.firstElementChild.open = true;
  scrollTo(source.querySelector('.line.cited') ?? source);
  source.querySelector('summary').focus({ preventScroll: true });
}

document.addEventListener('click', (event) => {
  const mark = event.target.closest('a.mark');
  if (mark === null) return;
  event.preventDefault();
  openSource(mark.dataset.source);
});
/** The details that an opened question shows. */
const block = (title, ...content) => element('div', { class: 'block' }, element('h3', null, title), ...content);
const list = (items) =>
  element(
    'ul',
    null,
    items.map((item) => element('li', null, item)),
  );
const scrolled = (label, text) =>
  element('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text === '' ? '(empty)' : text);

const roles = { system: 'system', user: 'prompt', assistant: 'model', tool: 'tool result' };

function exchangeTitle({ prompt, call, model, from, timeMs, tokens, cost, error }) {
  const source = {
    journal: 'from the journal',
    cassette: 'from a recording',
    run: 'reused from this run',
    cache: 'from the cache',
  };
  const facts = joined(data.texts[model], durationText(timeMs), tokensText(tokens), moneyText(cost), source[from]);
  const name = element('strong', null, call === null ? prompt : `${prompt} #${call}`);
  return [
    name,
    element('span', { class: 'facts' }, facts),
    error === null ? null : element('span', { class: 'bad' }, 'failed'),
  ];
}

function exchangeBody({ messages, reply, error }) {
  const shown = (messages ?? []).map(({ role, text }) =>
    element(
      'div',
      { class: `said ${role}` },
      element('h4', null, roles[role]),
      scrolled(roles[role], data.texts[text]),
    ),
  );
  const said =
    reply === null
      ? []
      : [element('div', { class: 'said reply' }, element('h4', null, 'reply'), scrolled('reply', data.texts[reply]))];
  const missing = messages === null ? [element('p', { class: 'none' }, 'Its prompt is not kept.')] : [];
  return [...missing, ...shown, ...said, ...(error === null ? [] : [element('p', { class: 'bad' }, error)])];
}

const exchangeFold = (exchange) => folded(exchangeTitle(exchange), () => exchangeBody(exchange), 'fold exchange');

function stepBlock({ number, thought, calls = [], findings = [], next }) {
  const made = calls.map(({ tool, given, result, outcome }) => {
    const name = [
      element('strong', null, tool),
      outcome === 'done' ? null : element('span', { class: 'bad' }, outcome),
    ];
    return folded(name, () => [scrolled('arguments', data.texts[given]), scrolled('result', data.texts[result])]);
  });
  const found = findings.map(([about, place]) => joined(about, place ?? 'not in the text'));
  return element(
    'li',
    { class: 'step' },
    element('p', null, element('strong', null, `Step ${number} `), thought),
    made,
    found.length > 0 ? list(found) : null,
    next === '' ? null : element('p', { class: 'facts' }, `next: ${next}`),
  );
}

function passageRows(passages) {
  const rows = passages.map(([id, place, score]) =>
    element(
      'tr',
      null,
      element('td', null, id),
      element('td', null, data.places[place]),
      element('td', { class: 'figure' }, String(score)),
    ),
  );
  const heads = ['passage', 'place', 'score'].map((name) => element('th', { scope: 'col' }, name));
  const table = element(
    'table',
    null,
    element('thead', null, element('tr', null, heads)),
    element('tbody', null, rows),
  );
  return element('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'passages' }, table);
}

function judgement({ assessment }) {
  if (assessment === null) return null;
  const odds =
    typeof assessment.probability === 'number' ? ` (${Math.round(assessment.probability * 100)} % complex)` : '';
  return block('Assessment', element('p', null, `${assessment.verdict}${odds}: ${assessment.reason}`));
}

/** Returns the blocks of a question. Empty blocks are left out. */
function questionBlocks(row, exchanges) {
  const blocks = [
    row.error && element('p', { class: 'bad' }, row.error),
    row.answer !== null && block('Answer', element('p', { class: 'text' }, withMarks(data.texts[row.answer]))),
    row.why && block('Strategy', element('p', null, `${row.strategy}: ${row.why}`)),
    judgement(row),
    row.certainty !== null &&
      block('Certainty of the rule', element('p', null, `${Math.round(row.certainty * 100)} %`)),
    row.cites.length > 0 &&
      block('Citations', list(row.cites.map(([place, quote]) => joined(data.places[place], quote && `“${quote}”`)))),
    row.searches.length > 0 &&
      block('Searches', list(row.searches.map(([query, found]) => `“${query}”: ${counted(found, 'passage')}`))),
    row.steps.length > 0 && block('Steps', element('ol', { class: 'steps' }, row.steps.map(stepBlock))),
    row.assumptions.length > 0 && block('Assumptions', list(row.assumptions)),
    exchanges.length > 0 && block('Prompts and replies', exchanges.map(exchangeFold)),
    row.passages.length > 0 && folded(counted(row.passages.length, 'passage'), () => passageRows(row.passages)),
  ];
  return blocks.filter(Boolean);
}
