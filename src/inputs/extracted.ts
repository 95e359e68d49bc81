import { extensionOf } from '../context/chunkers/languages.ts';

/** Extensions of files whose text is extracted, so that its line numbers are not those of the file. */
export const extractedEndings = {
  pdf: ['pdf'],
  docx: ['docx', 'docm'],
  html: ['html', 'htm', 'xhtml'],
  notebook: ['ipynb'],
} as const;

const endings: readonly string[] = Object.values(extractedEndings).flat();

/** Whether the line numbers of a document are those of an extracted text, not of its file. */
export const isExtracted = (name: string): boolean => endings.includes(extensionOf(name));
