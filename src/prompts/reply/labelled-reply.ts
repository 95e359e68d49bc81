import type { Field, Fields } from './fields.ts';

const splitNames = (table: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(table).map(([name, others]) => [name, others.split('|')]));

/** Other wordings of labels: a model that is asked in German may answer with German labels. */
const labelAliases: Readonly<Record<string, readonly string[]>> = splitNames({
  'TASK DECOMPOSITION': 'DECOMPOSITION|STEPS|AUFGABENZERLEGUNG|SCHRITTE|DÉCOMPOSITION|DESCOMPOSICIÓN|任务分解',
  'KEY QUESTIONS':
    'KEY QUESTION|QUESTIONS|SUB-QUESTIONS|SCHLÜSSELFRAGEN|QUESTIONS CLÉS|PREGUNTAS CLAVE|DOMANDE CHIAVE|PERGUNTAS-CHAVE|关键问题|重要な質問',
  'REQUIRED INFORMATION':
    'INFORMATION REQUIRED|INFORMATION NEEDED|BENÖTIGTE INFORMATIONEN|INFORMATIONS REQUISES|INFORMACIÓN REQUERIDA|所需信息',
  'SUCCESS CRITERIA': 'CRITERIA|ERFOLGSKRITERIEN|CRITÈRES DE SUCCÈS|CRITERIOS DE ÉXITO|成功标准',
  APPROACH: 'STRATEGY|ANSATZ|VORGEHEN|APPROCHE|ENFOQUE|APPROCCIO|方法',
  ASSESSMENT: 'VERDICT|COMPLEXITY|BEWERTUNG|EINSCHÄTZUNG|ÉVALUATION|EVALUACIÓN|评估',
  REASON: 'REASONING|RATIONALE|GRUND|BEGRÜNDUNG|RAISON|RAZÓN|MOTIVO|原因|理由',
  'SUB-QUESTION':
    'SUB-QUESTIONS|SUBQUESTIONS|QUESTION|QUESTIONS|TEILFRAGE|TEILFRAGEN|SOUS-QUESTION|SUBPREGUNTA|SOTTODOMANDA|子问题',
  ANSWER: 'FINAL ANSWER|RESPONSE|ANTWORT|RÉPONSE|RESPUESTA|RISPOSTA|RESPOSTA|ОТВЕТ|答案|回答',
  'FINAL ANSWER':
    'ANSWER|RESPONSE|ENDGÜLTIGE ANTWORT|ANTWORT|RÉPONSE FINALE|RÉPONSE|RESPUESTA FINAL|RESPUESTA|RISPOSTA FINALE|RISPOSTA|RESPOSTA FINAL|RESPOSTA|ОТВЕТ|最终答案|答案|回答',
  CITATIONS: 'CITATION|SOURCES|EVIDENCE|REFERENCES|ZITATE|BELEGE|QUELLEN|CITAS|FUENTES|CITAZIONI|引用',
  ASSUMPTIONS: 'ASSUMPTION|ANNAHMEN|HYPOTHÈSES|SUPOSICIONES|SUPUESTOS|ASSUNZIONI|SUPOSIÇÕES|假设|前提',
  CONFIDENCE_SCORE:
    'SCORE|CONFIDENCE|KONFIDENZ|PUNKTZAHL|SCORE DE CONFIANCE|CONFIANCE|CONFIANZA|PUNTUACIÓN|PUNTEGGIO|置信度|信頼度',
  FINDINGS: 'FINDING|RESULTS|FUNDE|BEFUNDE|ERGEBNISSE|RÉSULTATS|HALLAZGOS|RISULTATI|发现',
  THOUGHT: 'THOUGHTS|THINKING|GEDANKE|ÜBERLEGUNG|PENSÉE|PENSAMIENTO|思考',
  NEXT: 'NEXT STEP|NEXT DIRECTION|NÄCHSTER SCHRITT|ENSUITE|SIGUIENTE|下一步',
  ACTION: 'ACTIONS|TOOL CALL|TOOL CALLS|AKTION|AKTIONEN|ACCIÓN|行动',
  'ASKS FOR': 'WANTED|GEFRAGT IST|DEMANDE',
  MORE: 'MEHR|PLUS|MÁS|更多',
  GAPS: 'GAP|MISSING|LÜCKEN|LACUNES|LAGUNAS|LACUNE|缺口|不足',
  REASONING: 'REASON|EXPLANATION|BEGRÜNDUNG|RAISONNEMENT|RAZONAMIENTO|RAGIONAMENTO|推理|理由',
});

/** Aliases of choices: other forms of the word, and other languages. */
export const choiceAliases: Readonly<Record<string, readonly string[]>> = splitNames({
  SIMPLE: 'EINFACH|FÁCIL|SEMPLICE|简单',
  COMPLEX: 'KOMPLEX|COMPLEXE|COMPLEJO|COMPLEJA|COMPLESSO|复杂',
  direct: 'DIREKT|DIRECTO|DIRECTA|DIRETTO|直接',
  scan: 'SCANNING|DURCHLESEN|扫描',
  yes: 'TRUE|JA|OUI|SÍ|是',
  no: 'FALSE|NEIN|NON|否',
  explore: 'EXPLORATION|ERKUNDEN|EXPLORER|EXPLORAR|探索',
  decompose: 'DECOMPOSED|DECOMPOSITION|ZERLEGEN|ZERLEGUNG|分解',
});

/** Returns a name in lower case without spaces and punctuation: `finalanswer` for `finalAnswer` and `FINAL ANSWER`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

export interface NamedField {
  readonly field: string;
  /** Whether the name is the field's key or label, and not an alias. */
  readonly isOwn: boolean;
}

function writtenNames(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([key, { label }]) => [
    label,
    key.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
    ...(labelAliases[label] ?? []),
  ]);
}

/** Returns the fields by plain name. A field's own name takes precedence over the alias of another field. */
export function fieldsByName(fields: Fields): ReadonlyMap<string, NamedField> {
  const entries = Object.entries(fields);
  const named = (field: string, names: readonly string[], isOwn: boolean) =>
    names.map((name) => [plainName(name), { field, isOwn }] as const);
  // A map keeps the last entry of a name. After the reversal, this is the entry of the first field with the alias.
  const aliases = entries.flatMap(([field, { label }]) => named(field, labelAliases[label] ?? [], false)).reverse();
  return new Map([...aliases, ...entries.flatMap(([field, { label }]) => named(field, [field, label], true))]);
}

interface Mark extends NamedField {
  /** Offset of the line with the label. */
  readonly start: number;
  /** Offset of the value after the label. */
  readonly end: number;
  /** The text between the label and the colon, such as `2 (needs 1)`. */
  readonly note: string;
}

const flexible = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_-]+/g, '[ \\t_-]?');

/**
 * Markdown before and around a label. Matching is fast, because each repetition is bounded or repeats a single class of
 * characters.
 */
const lead = '[ \\t>#*_`~•-]*(?:\\d{1,2}[.)][ \\t>#*_`~•-]*)?';
const dress = '[ \\t*_`~]{0,8}';
const note = '(\\d{0,3}[ \\t]{0,4}(?:[([][^)\\]]{0,60}[)\\]])?)';

/** Creates the pattern of a label at a line's start: Markdown, the label, a note, and a colon or the line's end. */
function labelPattern(fields: Fields): RegExp {
  const names = [...writtenNames(fields)].sort((a, b) => b.length - a.length);
  const label = names.map(flexible).join('|');
  return new RegExp(
    `^(${lead})(${label})(${dress})${note}(${dress})(?:[:：](?:[*_\`~]{1,3}(?=[ \\t]|$))?|([ \\t]*)$)`,
    'iu',
  );
}

/** Whether a name alone on its line is a label, and not a word of the text. */
function standsOut(before: string, label: string, after: string, isOwn: boolean): boolean {
  if (before.includes('#') || (/\*\*|__/.test(before) && /\*\*|__/.test(after))) return true;
  return isOwn && label === label.toUpperCase() && label.length > 3;
}

function findMarks(fields: Fields, text: string): Mark[] {
  const marks: Mark[] = [];
  const names = fieldsByName(fields);
  const pattern = labelPattern(fields);
  let start = 0;
  for (const line of text.split('\n')) {
    const match = pattern.exec(line);
    const named = match && names.get(plainName(match[2]!));
    if (match && named) {
      const isHeading = match[6] !== undefined;
      if (!isHeading || standsOut(match[1]!, match[2]!, match[3]! + match[5]!, named.isOwn)) {
        marks.push({ ...named, start, end: start + match[0].length, note: match[4]!.trim() });
      }
    }
    start += line.length + 1;
  }
  return marks;
}

/** Removes the closing mark of a code fence whose opening mark is before the value. */
function withoutOddFence(value: string): string {
  const fences = value.match(/^[ \t]*```/gm)?.length ?? 0;
  const last = value.lastIndexOf('```');
  return fences % 2 === 1 && value.slice(last + 3).trim() === '' ? value.slice(0, last) : value;
}

type LabelledValue = Pick<Mark, 'note' | 'isOwn'> & { readonly value: string };

function asItem({ note, value }: LabelledValue): string {
  const needs = /[([].*[)\]]/.exec(note)?.[0] ?? '';
  return /^[ \t]*([-*•]|\d{1,3}[.)])\s/m.test(value) ? value : `- ${value.trim()} ${needs}`;
}

function joined(field: Field, said: readonly LabelledValue[]): string {
  if (field.kind === 'questions') return said.map(asItem).join('\n');
  const filled = said.filter(({ value }) => value.trim() !== '');
  if (['list', 'citations', 'findings', 'facts', 'actions'].includes(field.kind))
    return filled.map(({ value }) => value).join('\n');
  const own = field.kind === 'text' ? undefined : filled.findLast(({ isOwn }) => isOwn);
  return (own ?? filled.at(-1))?.value ?? '';
}

/** Reads a list without any label as the value of the only required field, if this field is a list of questions. */
function bareList(fields: Fields, text: string): Record<string, string> | null {
  const [only, ...others] = Object.entries(fields).filter(([, field]) => field.required);
  if (only === undefined || others.length > 0 || only[1].kind !== 'questions') return null;
  const items = text.split('\n').filter((line) => /^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+\S/.test(line));
  return items.length >= 2 ? { [only[0]]: items.join('\n') } : null;
}

/** Reads the fields of labelled text, as text; null when the reply has no label and is not a bare list. */
export function readLabelled(fields: Fields, reply: string): Record<string, string> | null {
  const text = reply.replace(/\r\n?/g, '\n');
  const marks = findMarks(fields, text);
  if (marks.length === 0) return bareList(fields, text);
  const found = new Map<string, LabelledValue[]>();
  for (const [index, { field, isOwn, end, note }] of marks.entries()) {
    const value = withoutOddFence(text.slice(end, marks[index + 1]?.start ?? text.length));
    const said = found.get(field) ?? [];
    said.push({ note, isOwn, value });
    found.set(field, said);
  }
  return Object.fromEntries([...found].map(([field, said]) => [field, joined(fields[field]!, said)]));
}

/**
 * Splits a text from the labelled fields below it. The fields begin at the first line that starts with a field's own
 * label in capitals.
 */
export function splitBelow(fields: Fields, text: string): { readonly above: string; readonly below: string } {
  const own = new Set(Object.values(fields).map(({ label }) => label));
  const lettersOf = ({ start, end }: Mark) => text.slice(start, end).replace(/[^\p{L}]+/gu, ' ');
  const start =
    own.size === 0 ? undefined : findMarks(fields, text).find((mark) => own.has(lettersOf(mark).trim()))?.start;
  if (start === undefined) return { above: text, below: '' };
  return { above: text.slice(0, start).trimEnd(), below: text.slice(start) };
}

/**
 * Splits labelled fields, which some models write first, from the text below them. The text begins after the first
 * blank line that follows the last label.
 */
export function splitAbove(fields: Fields, text: string): { readonly labels: string; readonly rest: string } {
  const last = findMarks(fields, text).at(-1);
  const [value = '', ...paragraphs] = text.slice(last?.end ?? text.length).split(/\n[ \t]*\n/);
  if (value.split('\n', 1)[0]!.trim() === '') return { labels: text, rest: '' };
  const rest = paragraphs.join('\n\n').trim();
  return { labels: text.slice(0, (last?.end ?? 0) + value.length), rest };
}
