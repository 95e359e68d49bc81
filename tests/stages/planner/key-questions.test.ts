import { describe, expect, it } from 'vitest';
import { namingTheTask } from '../../../src/stages/planner.ts';

const task = 'How large was the payments pool before the deploy?';
const ask = (question: string, ...needs: number[]) => ({ question, needs });

describe('key questions', () => {
  it('that name nothing from the task are removed, and the numbers of the others are adjusted', () => {
    const questions = [
      ask('What are the names of the parts?'),
      ask('Which pools are there?'),
      ask('Who wrote it?'),
      ask('When did that end?', 1, 2),
    ];
    expect(namingTheTask(task, questions)).toEqual([ask('Which pools are there?'), ask('When did that end?', 1)]);
  });

  it('are all kept if each names something', () => {
    const questions = [ask('What is the payments pool?'), ask('When was the deploy?', 1)];
    expect(namingTheTask(task, questions)).toEqual(questions);
  });

  it('are all kept for a task that names nothing', () => {
    const questions = [ask('Which release?')];
    expect(namingTheTask('Why?', questions)).toEqual(questions);
  });
});
