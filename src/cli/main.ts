/** The program's entry. What is asked most often, and needs nothing, is answered before anything else is loaded. */
declare const RLM_VERSION: string;

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    process.exitCode = code === 'EPIPE' ? 0 : 2;
  });
  process.stdout.write(`${RLM_VERSION}\n`);
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(args, RLM_VERSION);
}
