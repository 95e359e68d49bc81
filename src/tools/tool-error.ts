/** Thrown for a call that failed, with a message that helps the model to make a right one. */
export class ToolError extends Error {}
