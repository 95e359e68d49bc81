/** A call that came to nothing, in words that help the model to make a right one. */
export class ToolError extends Error {}
