/** Thrown for a failed call. The message helps the model to correct the call. */
export class ToolError extends Error {}
