/** The output of `rlm eval init`: an explained example of each kind of line. */
export const exampleSamples = `// Questions for rlm eval: one JSON object a line. Lines that begin with // are ignored.
// Run them: rlm eval questions.jsonl docs/
//
// "target": the answer, or a list of answers that are each right. Its words have to be in the reply, in order.
{"question": "How many days of annual leave do full-time employees have?", "target": "27", "tags": ["single"]}
{"question": "Who approves a release in the freeze?", "target": ["the head of operations", "head of operations"]}
// "choices": the possible answers; the first one that the reply names counts.
{"question": "Which team is larger, data or platform?", "target": "data", "choices": ["data", "platform"]}
// "targets": a list; the reply has to give all of its items and nothing else.
{"question": "Which rotations are there?", "targets": ["checkout", "platform", "data", "customer tools"], "tags": ["list"]}
// "contains": words; the reply has to contain all of them.
{"question": "When is an order paid back?", "contains": ["Thursday", "approved"]}
// "number": the answer is a number; "tolerance": how far the reply may be off.
{"question": "How many lines say ERROR?", "number": 58, "tolerance": 1, "tags": ["count"]}
// "pattern": a regular expression without lookaround and backreferences.
{"question": "When did the first order fail?", "pattern": "13:47:5\\\\d"}
// "sources": documents that the reply has to cite. A line may have this field alone, or together with others.
{"question": "Where is the retry limit set?", "target": "3", "sources": ["config.md"]}
// "answerable": false: the text does not contain the answer, and the reply has to say so.
{"question": "What does a parking space cost?", "answerable": false}
// "json": the reply has to hold this value.
{"question": "Give name and port of the service as JSON.", "json": {"name": "checkout", "port": 8080}}
// "paths": files for this question alone, relative to this file. "id" names the sample. "scorer" replaces the default
// scorer by one of: contains, exact, f1, list, number, pattern, sources, absent, json.
{"id": "own-text", "question": "What failed first?", "target": "the database", "paths": ["logs/"], "scorer": "f1"}
`;
