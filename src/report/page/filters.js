/** The filters of the tree. */
const pick = (rank) => new Set(rows.toSorted((a, b) => rank(b) - rank(a)).slice(0, 10));
const sizeOf = ({ tokens }) => tokens[0] + tokens[1];
const choices = {
  all: () => true,
  dearest: (
    (set) => (row) =>
      set.has(row)
  )(pick(sizeOf)),
  slowest: (
    (set) => (row) =>
      set.has(row)
  )(pick(({ timeMs }) => timeMs)),
  unanswered: ({ status }) => status !== 'answered',
};

/** Shows the rows that match and their ancestors. Returns the number of matches. */
function applyFilters({ words, depth, strategy, which }) {
  const wanted = words.toLowerCase();
  const textOf = (row) => `${row.question}\n${row.answer === null ? '' : data.texts[row.answer]}`.toLowerCase();
  const matches = (row) =>
    row.depth <= depth &&
    (strategy === 'all' || row.strategy === strategy) &&
    choices[which](row) &&
    textOf(row).includes(wanted);
  const shown = new Set();
  let count = 0;
  for (const row of rows) {
    if (!matches(row)) continue;
    count += 1;
    for (let path = row.path; path !== '' && !shown.has(path); path = parentOf(path)) shown.add(path);
  }
  const isFiltered = count < rows.length;
  for (const [path, item] of items) {
    item.node.hidden = !shown.has(path);
    item.node.classList.toggle('beside', isFiltered && shown.has(path) && !matches(item.row));
    if (isFiltered) setFolded(item, false);
  }
  return count;
}

const options = (pairs) => pairs.map(([value, name]) => element('option', { value }, name));

function buildFilters(host, tree) {
  const matchCount = element('p', { class: 'facts', role: 'status' });
  const search = element('input', {
    type: 'search',
    placeholder: 'Search questions and answers',
    'aria-label': 'search questions and answers',
  });
  const depths = [...new Set(data.rows.map(({ depth }) => depth))].sort((a, b) => a - b);
  const names = [...new Set(rows.map(({ strategy }) => strategy))];
  const depth = element(
    'select',
    { 'aria-label': 'depth' },
    options([['99', 'every depth'], ...depths.map((one) => [String(one), `depth to ${one}`])]),
  );
  const strategy = element(
    'select',
    { 'aria-label': 'strategy' },
    options([['all', 'every strategy'], ...names.map((name) => [name, name])]),
  );
  const which = element(
    'select',
    { 'aria-label': 'which questions' },
    options([
      ['all', 'all questions'],
      ['dearest', '10 with most tokens'],
      ['slowest', '10 that took longest'],
      ['unanswered', 'without a full answer'],
    ]),
  );
  const apply = () => {
    const count = applyFilters({
      words: search.value.trim(),
      depth: Number(depth.value),
      strategy: strategy.value,
      which: which.value,
    });
    matchCount.textContent = count === rows.length ? '' : `${counted(count, 'question')} of ${rows.length}`;
  };
  for (const control of [search, depth, strategy, which]) control.addEventListener('input', apply);
  const foldAll = (isFolded) => () => {
    for (const item of items.values()) setFolded(item, isFolded);
  };
  const buttons = [
    ['Unfold all', false],
    ['Fold all', true],
  ].map(([name, isFolded]) => element('button', { type: 'button', click: foldAll(isFolded) }, name));
  if (rows.length > 3)
    host.append(element('div', { class: 'filters' }, search, depth, strategy, which, buttons), matchCount);
  host.append(tree);
}
