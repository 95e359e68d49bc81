/** Files under the roots. */
// biome-ignore lint/suspicious/noEmptyInterface: its members come with the file tools
export interface FileAccess {}
