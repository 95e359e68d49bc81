import { extensionOf } from '../context/chunkers/languages.ts';

/** Extensions of files whose text is extracted. Their line numbers refer to the extracted text, not to the file. */
export const extractedEndings = {
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  html: ['html', 'htm', 'xhtml'],
  notebook: ['ipynb'],
} as const;

const endings: readonly string[] = Object.values(extractedEndings).flat();

/** Whether the line numbers of a document refer to extracted text instead of its file. */
export const isExtracted = (name: string): boolean => endings.includes(extensionOf(name));
