/**
 * Texts with supported claims, and with the same claims made wrong in one detail, on which a checking model is tested.
 */

export interface KnownPair {
  readonly text: string;
  readonly claim: string;
  readonly isSupported: boolean;
}

/** A text, a claim in different words or order that it supports, and a similar claim that it does not support. */
const known: readonly (readonly [text: string, supported: string, wrong: string])[] = [
  [
    'The connection pool was limited to 40 connections after the upgrade, and requests began to wait.',
    'After the upgrade no more than 40 connections were allowed in the pool.',
    'After the upgrade no more than 14 connections were allowed in the pool.',
  ],
  [
    'Ada Poole approved the release on Tuesday. Tom Reed was on leave that week.',
    'The release was approved by Ada Poole.',
    'The release was approved by Tom Reed.',
  ],
  [
    'Meridian bought the smaller rival Castell in 2014 for 30 million dollars.',
    'Castell was taken over by Meridian.',
    'Meridian was taken over by Castell.',
  ],
  [
    'Guests do not need a badge in the laboratory, but they have to sign the visitor book.',
    'No badge is required of guests in the laboratory.',
    'Guests have to wear a badge in the laboratory.',
  ],
  [
    'The bridge was opened to traffic in 1932, four years after the foundation stone was laid.',
    'Traffic has crossed the bridge since 1932.',
    'Traffic has crossed the bridge since 1928.',
  ],
  [
    'Dogs are forbidden in the northern park, while the southern one lets them run free.',
    'It is not allowed to bring a dog into the northern park.',
    'It is allowed to bring a dog into the northern park.',
  ],
  [
    'Only some of the backups could be restored; the tapes of March were damaged.',
    'A part of the backups could be restored.',
    'All of the backups could be restored.',
  ],
  [
    'The mast stands four kilometres from the harbour on a low hill.',
    'The mast is 4 km away from the harbour.',
    'The mast is 9 km away from the harbour.',
  ],
  [
    'The report was written before the audit began, so it does not mention its findings.',
    'The audit started after the report had been written.',
    'The report had been written after the audit started.',
  ],
  [
    'Lisbon is where the painter was born; she spent most of her life in Porto.',
    'The painter was born in Lisbon.',
    'The painter was born in Porto.',
  ],
  [
    'The cache is cleared on every restart, which makes the first request slow.',
    'Restarting empties the cache.',
    'The cache survives a restart.',
  ],
  [
    'The main pump failed during the storm and the cellar was flooded.',
    'During the storm the main pump broke down.',
    'The main pump kept working during the storm.',
  ],
  [
    'The orchestra played in the old hall, as the new one was being repaired.',
    'The new hall was under repair.',
    'The old hall was under repair.',
  ],
  [
    'Sales rose by twelve percent in the north and fell slightly in the south.',
    'In the north, sales went up.',
    'In the south, sales went up.',
  ],
  [
    'A failed upload is retried three times; then the user is told.',
    'An upload that has failed is tried again three times.',
    'An upload that has failed is tried again until it succeeds.',
  ],
  [
    'The council voted against the new road, with seven members in favour and nine opposed.',
    'The council turned the new road down.',
    'The council agreed to the new road.',
  ],
  [
    'Professor Okafor taught chemistry, and her brother became a judge.',
    'Professor Okafor was a teacher of chemistry.',
    "Professor Okafor's brother was a teacher of chemistry.",
  ],
  [
    'The ferry lands at Kirkwall in the evening and sails back at dawn.',
    'The ferry reaches Kirkwall in the evening.',
    'The ferry is the fastest ship of the islands.',
  ],
  [
    'The museum is closed on Mondays and open until nine on Fridays.',
    'On Mondays visitors cannot enter the museum.',
    'On Mondays the museum is open until nine.',
  ],
  [
    'The firm never published the source code, although it had promised to.',
    'The source code has not been published by the firm.',
    'The firm published the source code, as it had promised.',
  ],
];

export const knownPairs: readonly KnownPair[] = known.flatMap(([text, supported, wrong]) => [
  { text, claim: supported, isSupported: true },
  { text, claim: wrong, isSupported: false },
]);
