const named =
  /^\s*(?:(?:export|default|public|private|protected|static|abstract|async|pub|final|override|declare)\s+)*(?:function|class|interface|enum|struct|trait|impl|def|fn|func|namespace|module|type|object)\b/;
const assigned =
  /^\s*(?:(?:export|const|let|var)\s+)*[\w$.]+\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>)/;
/** A value that begins on the next line. */
const announced = /^\s*(?:export\s+)?(?:const|let|var)\s+[\w$]+(?:\s*:[^=]+)?\s*=\s*$/;
const method =
  /^\s+(?:(?:async|static|get|set|public|private|protected|override)\s+)*(?!async\b|function\b)[\w$]+\s*\([^;]*\{\s*$/;
const statement = /^\s*(?:if|for|while|switch|catch|with|return|else|do|try)\b/;
const closing = /^\s*[)\]}]/;

/** Whether a line of code begins a definition with a name, such as a function, a class or a method. */
export const definesCode = (line: string): boolean =>
  named.test(line) || assigned.test(line) || announced.test(line) || (method.test(line) && !statement.test(line));

/** Whether a line of code closes what earlier lines opened. */
export const isClosing = (line: string): boolean => closing.test(line);
