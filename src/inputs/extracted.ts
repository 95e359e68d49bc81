/** The endings of names of files whose text is taken out of their format; its lines are not those of the file. */
export const extractedEndings = {
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  html: ['html', 'htm', 'xhtml'],
  notebook: ['ipynb'],
} as const;

const extracted = new RegExp(`\\.(?:${Object.values(extractedEndings).flat().join('|')})(?:\\.(?:gz|gzip|zst))?$`, 'i');

/** Whether the lines of a document are those of the text that was taken out of its file. */
export const isExtracted = (name: string): boolean => extracted.test(name);
