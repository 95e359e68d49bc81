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

function durationText(ms) {
  if (ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

const moneyText = (usd) => (usd ? `$${usd >= 0.01 ? usd.toFixed(2) : usd.toPrecision(2)}` : '');
const tokensText = ([input, output]) => (input + output === 0 ? '' : `${grouped(input)} in, ${grouped(output)} out`);
const joined = (...parts) => parts.filter(Boolean).join(' · ');

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
