/** Extensions of files whose text is extracted, so that its line numbers are not those of the file. */
export const extractedEndings = {
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  html: ['html', 'htm', 'xhtml'],
  notebook: ['ipynb'],
} as const;

const extracted = new RegExp(`\\.(?:${Object.values(extractedEndings).flat().join('|')})(?:\\.(?:gz|gzip|zst))?$`, 'i');

/** Whether the line numbers of a document are those of an extracted text, not of its file. */
export const isExtracted = (name: string): boolean => extracted.test(name);
