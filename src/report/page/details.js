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
    row.answer !== null && block('Answer', element('p', { class: 'text' }, data.texts[row.answer])),
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
