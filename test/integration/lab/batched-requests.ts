/** Makes one request of what is asked in the same turn of the event loop; `answer` gives an answer for each question, in their order. */
export function batchRequests<Request, Response>(
  answer: (questions: readonly Request[]) => Promise<readonly Response[]>,
): (question: Request) => Promise<Response> {
  let turn: { readonly questions: Request[]; readonly answers: Promise<readonly Response[]> } | undefined;
  return async (question) => {
    if (turn === undefined) {
      const questions: Request[] = [];
      const answers = Promise.resolve().then(() => {
        turn = undefined;
        return answer(questions);
      });
      turn = { questions, answers };
    }
    const { questions, answers } = turn;
    const index = questions.push(question) - 1;
    return (await answers)[index] as Response;
  };
}
