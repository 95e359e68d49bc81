export { createExtractiveProvider } from './provider.ts';
