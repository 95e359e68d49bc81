import type { Fields } from './fields.ts';

/**
 * Aliases of labels: other wordings, and labels in other languages, since a model that is asked in German may answer
 * with German labels. Keys are the English labels.
 */
const labelAliases: Readonly<Record<string, readonly string[]>> = {
  'TASK DECOMPOSITION': [
    'DECOMPOSITION',
    'STEPS',
    'AUFGABENZERLEGUNG',
    'SCHRITTE',
    'DÉCOMPOSITION',
    'DESCOMPOSICIÓN',
    '任务分解',
  ],
  'KEY QUESTIONS': [
    'KEY QUESTION',
    'QUESTIONS',
    'SUB-QUESTIONS',
    'SCHLÜSSELFRAGEN',
    'QUESTIONS CLÉS',
    'PREGUNTAS CLAVE',
    'DOMANDE CHIAVE',
    'PERGUNTAS-CHAVE',
    '关键问题',
    '重要な質問',
  ],
  'REQUIRED INFORMATION': [
    'INFORMATION REQUIRED',
    'INFORMATION NEEDED',
    'BENÖTIGTE INFORMATIONEN',
    'INFORMATIONS REQUISES',
    'INFORMACIÓN REQUERIDA',
    '所需信息',
  ],
  'SUCCESS CRITERIA': ['CRITERIA', 'ERFOLGSKRITERIEN', 'CRITÈRES DE SUCCÈS', 'CRITERIOS DE ÉXITO', '成功标准'],
  APPROACH: ['STRATEGY', 'ANSATZ', 'VORGEHEN', 'APPROCHE', 'ENFOQUE', 'APPROCCIO', '方法'],
  ASSESSMENT: ['VERDICT', 'COMPLEXITY', 'BEWERTUNG', 'EINSCHÄTZUNG', 'ÉVALUATION', 'EVALUACIÓN', '评估'],
  REASON: ['REASONING', 'RATIONALE', 'GRUND', 'BEGRÜNDUNG', 'RAISON', 'RAZÓN', 'MOTIVO', '原因', '理由'],
  'SUB-QUESTION': [
    'SUB-QUESTIONS',
    'SUBQUESTIONS',
    'QUESTION',
    'QUESTIONS',
    'TEILFRAGE',
    'TEILFRAGEN',
    'SOUS-QUESTION',
    'SUBPREGUNTA',
    'SOTTODOMANDA',
    '子问题',
  ],
  ANSWER: [
    'FINAL ANSWER',
    'RESPONSE',
    'ANTWORT',
    'RÉPONSE',
    'RESPUESTA',
    'RISPOSTA',
    'RESPOSTA',
    'ОТВЕТ',
    '答案',
    '回答',
  ],
  'FINAL ANSWER': [
    'ANSWER',
    'RESPONSE',
    'ENDGÜLTIGE ANTWORT',
    'ANTWORT',
    'RÉPONSE FINALE',
    'RÉPONSE',
    'RESPUESTA FINAL',
    'RESPUESTA',
    'RISPOSTA FINALE',
    'RISPOSTA',
    'RESPOSTA FINAL',
    'RESPOSTA',
    'ОТВЕТ',
    '最终答案',
    '答案',
    '回答',
  ],
  CITATIONS: [
    'CITATION',
    'SOURCES',
    'EVIDENCE',
    'REFERENCES',
    'ZITATE',
    'BELEGE',
    'QUELLEN',
    'CITAS',
    'FUENTES',
    'CITAZIONI',
    '引用',
  ],
  ASSUMPTIONS: [
    'ASSUMPTION',
    'ANNAHMEN',
    'HYPOTHÈSES',
    'SUPOSICIONES',
    'SUPUESTOS',
    'ASSUNZIONI',
    'SUPOSIÇÕES',
    '假设',
    '前提',
  ],
  CONFIDENCE_SCORE: [
    'SCORE',
    'CONFIDENCE',
    'KONFIDENZ',
    'PUNKTZAHL',
    'SCORE DE CONFIANCE',
    'CONFIANCE',
    'CONFIANZA',
    'PUNTUACIÓN',
    'PUNTEGGIO',
    '置信度',
    '信頼度',
  ],
  SEARCH: ['SEARCHES', 'QUERY', 'QUERIES', 'SUCHE', 'SUCHEN', 'RECHERCHE', 'BÚSQUEDA', 'RICERCA', '搜索', '検索'],
  FINDINGS: ['FINDING', 'RESULTS', 'FUNDE', 'BEFUNDE', 'ERGEBNISSE', 'RÉSULTATS', 'HALLAZGOS', 'RISULTATI', '发现'],
  THOUGHT: ['THOUGHTS', 'THINKING', 'GEDANKE', 'ÜBERLEGUNG', 'PENSÉE', 'PENSAMIENTO', '思考'],
  NEXT: ['NEXT STEP', 'NEXT DIRECTION', 'NÄCHSTER SCHRITT', 'ENSUITE', 'SIGUIENTE', '下一步'],
  ACTION: ['ACTIONS', 'TOOL CALL', 'TOOL CALLS', 'AKTION', 'AKTIONEN', 'ACCIÓN', '行动'],
  'ASKS FOR': ['WANTED', 'GEFRAGT IST', 'DEMANDE'],
  MORE: ['MEHR', 'PLUS', 'MÁS', '更多'],
  GAPS: ['GAP', 'MISSING', 'LÜCKEN', 'LACUNES', 'LAGUNAS', 'LACUNE', '缺口', '不足'],
  UNCERTAINTIES: ['UNCERTAINTY', 'UNSICHERHEITEN', 'INCERTITUDES', 'INCERTIDUMBRES', 'INCERTEZZE', '不确定性'],
  REASONING: ['REASON', 'EXPLANATION', 'BEGRÜNDUNG', 'RAISONNEMENT', 'RAZONAMIENTO', 'RAGIONAMENTO', '推理', '理由'],
};

/** Aliases of choices: other forms of the word, and other languages. */
export const choiceAliases: Readonly<Record<string, readonly string[]>> = {
  SIMPLE: ['EINFACH', 'FÁCIL', 'SEMPLICE', '简单'],
  COMPLEX: ['KOMPLEX', 'COMPLEXE', 'COMPLEJO', 'COMPLEJA', 'COMPLESSO', '复杂'],
  direct: ['DIREKT', 'DIRECTO', 'DIRECTA', 'DIRETTO', '直接'],
  scan: ['SCANNING', 'DURCHLESEN', '扫描'],
  yes: ['TRUE', 'JA', 'OUI', 'SÍ', '是'],
  no: ['FALSE', 'NEIN', 'NON', '否'],
  explore: ['EXPLORATION', 'ERKUNDEN', 'EXPLORER', 'EXPLORAR', '探索'],
  decompose: ['DECOMPOSED', 'DECOMPOSITION', 'ZERLEGEN', 'ZERLEGUNG', '分解'],
};

/**
 * Normalises a name by removing case and punctuation, so that `finalAnswer`, `final_answer` and `FINAL ANSWER` are the
 * same.
 */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** A field by one of its names. */
export interface NamedField {
  readonly field: string;
  /** Whether the name is the field's key or label, and not an alias. */
  readonly isOwn: boolean;
}

/** Returns every name of the fields: keys, labels, and aliases. */
export function writtenNames(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([key, { label }]) => [
    label,
    key.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
    ...(labelAliases[label] ?? []),
  ]);
}

const known = new WeakMap<Fields, ReadonlyMap<string, NamedField>>();

/** Returns the fields by plain name. A name that is one field's own and another's alias belongs to the former. */
export function fieldsByName(fields: Fields): ReadonlyMap<string, NamedField> {
  const byName = known.get(fields) ?? nameFields(fields);
  known.set(fields, byName);
  return byName;
}

function nameFields(fields: Fields): ReadonlyMap<string, NamedField> {
  const found = new Map<string, NamedField>();
  for (const [field, { label }] of Object.entries(fields)) {
    for (const name of [field, label]) found.set(plainName(name), { field, isOwn: true });
  }
  for (const [field, { label }] of Object.entries(fields)) {
    for (const alias of labelAliases[label] ?? []) {
      const name = plainName(alias);
      if (!found.has(name)) found.set(name, { field, isOwn: false });
    }
  }
  return found;
}
