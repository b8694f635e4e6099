/** Makes one request of what is asked in the same turn of the event loop; `answer` gives an answer for each question, in their order. */
export function together<Question, Answer>(
  answer: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let turn: { readonly questions: Question[]; readonly answers: Promise<readonly Answer[]> } | undefined;
  return async (question) => {
    if (turn === undefined) {
      const questions: Question[] = [];
      const answers = Promise.resolve().then(() => {
        turn = undefined;
        return answer(questions);
      });
      turn = { questions, answers };
    }
    const { questions, answers } = turn;
    const index = questions.push(question) - 1;
    return (await answers)[index] as Answer;
  };
}
