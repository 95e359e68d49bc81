/** Pairs of sentences from two documents that contradict each other in one of ten forms, and pairs that agree. */

export interface Pair {
  readonly form: string;
  readonly question: string;
  readonly one: string;
  readonly other: string;
  readonly contradicts: boolean;
}

type Template = readonly [question: string, one: string, other: string, agreeing: string];

/** By form: a question, two sentences that contradict each other, and one that agrees with the first. */
const forms: Readonly<Record<string, readonly Template[]>> = {
  number: [
    [
      'How large is the pool?',
      'The connection pool is limited to 40 connections.',
      'The pool has a limit of 4 connections.',
      'A limit of 40 connections holds for the pool.',
    ],
    [
      'How many guests fit the hall?',
      'The hall seats 250 guests.',
      'The hall seats 320 guests at most.',
      'At most 250 guests sit in the hall.',
    ],
    [
      'How many retries are made?',
      'A failed upload is retried 5 times.',
      'A failed upload is retried three times.',
      'A failed upload is retried five times.',
    ],
    [
      'How many wards does the hospital have?',
      'The hospital has 12 wards on four floors.',
      'The hospital has 14 wards.',
      'The hospital has twelve wards.',
    ],
  ],
  unit: [
    [
      'How large may an attachment be?',
      'An attachment may have up to 25 MB.',
      'An attachment may have up to 25 KB.',
      'An attachment may have up to 25,000 KB.',
    ],
    [
      'How long is a session kept?',
      'A session is kept for 30 minutes.',
      'A session is kept for 30 hours.',
      'A session is kept for half an hour, 30 minutes.',
    ],
    [
      'What does the licence cost?',
      'The licence costs $4 million a year.',
      'The licence costs $4 billion a year.',
      'The licence costs $4,000,000 a year.',
    ],
  ],
  year: [
    [
      'When was the bridge opened?',
      'The bridge was opened to traffic in 1932.',
      'The bridge was opened to traffic in 1937.',
      'In 1932 the bridge was opened to traffic.',
    ],
    [
      'When was the firm founded?',
      'The firm was founded in 1998 by two engineers.',
      'The firm was founded by two engineers in 1989.',
      'Two engineers founded the firm in 1998.',
    ],
    [
      'When did the volcano erupt?',
      'The volcano last erupted in 1886.',
      'The volcano last erupted in 1868.',
      'It was in 1886 that the volcano last erupted.',
    ],
  ],
  date: [
    [
      'When is the deadline?',
      'The deadline for proposals is 3 March.',
      'The deadline for proposals is 3 May.',
      'Proposals have a deadline of 3 March.',
    ],
    [
      'When does the sale begin?',
      'The sale begins on Monday at the north gate.',
      'The sale begins on Thursday at the north gate.',
      'On Monday the sale begins at the north gate.',
    ],
    [
      'When did the backup run?',
      'The nightly backup ran at 02:15.',
      'The nightly backup ran at 04:40.',
      'At 02:15 the nightly backup ran.',
    ],
  ],
  person: [
    [
      'Who approved the release?',
      'The release was approved by Ada Poole.',
      'The release was approved by Tom Reed.',
      'Ada Poole approved the release.',
    ],
    [
      'Who is the head of the archive?',
      'The head of the archive is Mina Okafor.',
      'The head of the archive is Lars Holm.',
      'Mina Okafor is the head of the archive.',
    ],
    [
      'Who wrote the report?',
      'The annual report was written by Jane Moss.',
      'The annual report was written by Ivo Lenz.',
      'Jane Moss wrote the annual report.',
    ],
  ],
  place: [
    [
      'Where is the data kept?',
      'The data of customers is kept in Frankfurt.',
      'The data of customers is kept in Dublin.',
      'In Frankfurt the data of customers is kept.',
    ],
    [
      'Where was she born?',
      'The painter was born in Lisbon.',
      'The painter was born in Porto.',
      'Lisbon is where the painter was born.',
    ],
    [
      'Where does the ferry land?',
      'The evening ferry lands at Kirkwall.',
      'The evening ferry lands at Stromness.',
      'At Kirkwall the evening ferry lands.',
    ],
  ],
  negation: [
    [
      'Do guests need a badge?',
      'Guests need a badge in the laboratory.',
      'Guests do not need a badge in the laboratory.',
      'In the laboratory guests need a badge.',
    ],
    [
      'Is the cache cleared on restart?',
      'The cache is cleared on every restart.',
      'The cache is never cleared on a restart.',
      'On every restart the cache is cleared.',
    ],
    [
      'Did the pump fail?',
      'The main pump failed during the storm.',
      'The main pump did not fail during the storm.',
      'During the storm the main pump failed.',
    ],
  ],
  opposite: [
    [
      'Is logging on by default?',
      'Verbose logging is enabled by default.',
      'Verbose logging is disabled by default.',
      'By default verbose logging is enabled.',
    ],
    [
      'Are dogs allowed in the park?',
      'Dogs are allowed in the northern park.',
      'Dogs are forbidden in the northern park.',
      'In the northern park dogs are allowed.',
    ],
    [
      'Is the field required?',
      'The address field is required on the form.',
      'The address field is optional on the form.',
      'On the form the address field is required.',
    ],
  ],
  setting: [
    ['What is maxConnections?', 'maxConnections: 40', 'maxConnections: 4', 'maxConnections: 40'],
    ['Which region is used?', 'region = eu-west-1', 'region = us-east-1', 'region = eu-west-1'],
    ['What is the log level?', 'log level: debug', 'log level: warn', 'log level: debug'],
  ],
  share: [
    [
      'What share of voters agreed?',
      'In the vote 62 % of members agreed.',
      'In the vote 48 % of members agreed.',
      'In the vote 62 percent of members agreed.',
    ],
    [
      'How hot does the oven get?',
      'The kiln reaches 1,280 °C at its peak.',
      'The kiln reaches 1,820 °C at its peak.',
      'At its peak the kiln reaches 1280 °C.',
    ],
    [
      'How far is the mast?',
      'The mast stands 4 km from the harbour.',
      'The mast stands 9 km from the harbour.',
      'The mast stands 4,000 m from the harbour.',
    ],
  ],
};

/** Pairs that are adjacent in one text and do not contradict each other: another thing, another time, another part. */
const besides: readonly (readonly [string, string, string])[] = [
  ['How large is the pool?', 'The read pool has 40 connections.', 'The write pool was drained by Tom Reed.'],
  ['How many orders came in?', 'In 2019 the shop took 340 orders.', 'In 2020 the shop took 512 orders.'],
  ['Who is on the team?', 'Ada Poole joined the storage team.', 'Tom Reed joined the storage team.'],
  [
    'What happened at night?',
    'At 02:15 the importer opened 34 connections.',
    'At 03:40 the importer opened 12 connections.',
  ],
  ['How are backups kept?', 'Backups are kept for 30 days in Dublin.', 'Backups are encrypted with a key of 256 bits.'],
  ['What does the plan cost?', 'The small plan costs $5 a month.', 'The large plan costs $50 a month and has support.'],
];

/** Our own pairs; developers may look at them while they improve rules. */
export function ownPairs(): Pair[] {
  const made = Object.entries(forms).flatMap(([form, templates]) =>
    templates.flatMap(([question, one, other, agreeing]): Pair[] => [
      { form, question, one, other, contradicts: true },
      { form, question, one, other: agreeing, contradicts: false },
    ]),
  );
  return [
    ...made,
    ...besides.map(([question, one, other]) => ({ form: 'beside', question, one, other, contradicts: false })),
  ];
}
