/** The program's entry. What is asked most often, and needs nothing, is answered before anything else is loaded. */
declare const RLM_VERSION: string;

async function main(args: readonly string[]): Promise<void> {
  if (args.length !== 1 || (args[0] !== '--version' && args[0] !== '-V')) {
    const { runProgram } = await import('./program.ts');
    process.exitCode = await runProgram(args, RLM_VERSION);
    return;
  }
  process.stdout.once('error', ({ code }: NodeJS.ErrnoException) => {
    process.exitCode = code === 'EPIPE' ? 0 : 2;
  });
  process.stdout.write(`${RLM_VERSION}\n`);
}

void main(process.argv.slice(2));
