/** Whether a line begins a mail in a mailbox, as in `From ana@x.example Tue Mar 17 13:42:26 2026`. */
export const isMailStart = (line: string): boolean => /^From \S+(?: .*)?\d\d:\d\d/.test(line);
