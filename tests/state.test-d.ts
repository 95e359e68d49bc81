import { describe, expectTypeOf, it } from 'vitest';
import type { Run } from '../src/run/run.ts';
import type { AnswerSchema } from '../src/schema/json-schema.ts';
import { critique } from '../src/stages/critic.ts';
import { fillForm } from '../src/stages/form.ts';
import { plan } from '../src/stages/planner.ts';
import { reason } from '../src/stages/reasoner.ts';
import { retrieve } from '../src/stages/retriever.ts';
import type { Critiqued, Formed, Planned, Reasoned, Retrieved, TaskState } from '../src/state.ts';

declare const run: Run;
declare const task: TaskState;
declare const planned: Planned;
declare const retrieved: Retrieved;
declare const reasoned: Reasoned;
declare const schema: AnswerSchema;
declare const critiqued: Critiqued;

describe('the stages', () => {
  it('accept the state of the previous one and add their slice', () => {
    expectTypeOf(plan).parameter(0).toEqualTypeOf<TaskState>();
    expectTypeOf(plan(task, run)).resolves.toEqualTypeOf<Planned>();
    expectTypeOf(retrieve(planned, run)).resolves.toEqualTypeOf<Retrieved>();
    expectTypeOf(reason(retrieved, run)).resolves.toEqualTypeOf<Reasoned>();
    expectTypeOf(fillForm(schema)(critiqued, run)).resolves.toEqualTypeOf<Formed>();
    expectTypeOf(critique(reasoned, run)).resolves.toEqualTypeOf<Critiqued>();
  });

  it('return the input of the next one', () => {
    expectTypeOf<Awaited<ReturnType<typeof plan>>>().toExtend<Parameters<typeof retrieve>[0]>();
    expectTypeOf<Awaited<ReturnType<typeof retrieve>>>().toExtend<Parameters<typeof reason>[0]>();
    expectTypeOf<Awaited<ReturnType<typeof reason>>>().toExtend<Parameters<typeof critique>[0]>();
    expectTypeOf<Awaited<ReturnType<typeof critique>>>().toExtend<Parameters<ReturnType<typeof fillForm>>[0]>();
  });

  it('do not compile in another order', () => {
    // @ts-expect-error nothing was planned
    retrieve(task, run);
    // @ts-expect-error nothing was planned
    reason(task, run);
    // @ts-expect-error nothing was retrieved
    reason(planned, run);
    // @ts-expect-error nothing was planned
    critique(task, run);
    // @ts-expect-error nothing was retrieved
    critique(planned, run);
    // @ts-expect-error nothing was answered
    critique(retrieved, run);
  });
});

describe('the state', () => {
  it('grows, and every field is needed', () => {
    expectTypeOf<Critiqued>().toExtend<Reasoned>();
    expectTypeOf<Reasoned>().toExtend<Retrieved>();
    expectTypeOf<Retrieved>().toExtend<Planned>();
    expectTypeOf<Planned>().toExtend<TaskState>();
    expectTypeOf<Critiqued>().toEqualTypeOf<Readonly<Required<Critiqued>>>();
  });

  it('is not changed in place', () => {
    // @ts-expect-error readonly
    task.task = 'another';
    // @ts-expect-error readonly
    reasoned.citations.push(reasoned.citations[0]!);
  });
});
