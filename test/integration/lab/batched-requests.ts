/** Combines the requests of one turn of the event loop into one; `answer` returns the responses in the same order. */
export function batchRequests<Request, Response>(
  answer: (requests: readonly Request[]) => Promise<readonly Response[]>,
): (request: Request) => Promise<Response> {
  let turn: { readonly requests: Request[]; readonly responses: Promise<readonly Response[]> } | undefined;
  return async (request) => {
    if (turn === undefined) {
      const requests: Request[] = [];
      const responses = Promise.resolve().then(() => {
        turn = undefined;
        return answer(requests);
      });
      turn = { requests, responses };
    }
    const { requests, responses } = turn;
    const index = requests.push(request) - 1;
    return (await responses)[index] as Response;
  };
}
