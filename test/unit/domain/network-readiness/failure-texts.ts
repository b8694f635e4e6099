import { displacedText } from '../../../../src/domain/entities/displaceable.ts';
import type { NetworkFailure } from '../../../../src/domain/network-readiness/network-check.ts';
import { networkSentence } from '../../../../src/domain/status/network-entry.ts';

const END = ' and is not managed by ovn-uplinks';

/** A failure with the texts of its entities; a conflict whose message is not made from these, with its message. */
export function withTexts(failure: NetworkFailure | undefined): unknown {
  if (failure === undefined || !('cause' in failure)) return failure;
  if (failure.cause === 'cannot-be-put-back') {
    const { entity, ...others } = failure;
    return { ...others, thing: displacedText(entity) };
  }
  if (failure.cause !== 'in-the-way') return failure;
  const { reason, cause } = failure;
  const message = networkSentence(failure, 'blue', 'br-blue');
  const [found = '', wanted = ''] = message.slice(0, -END.length).split(' conflicts with ');
  return message.endsWith(END) ? { reason, cause, wanted, found } : { reason, cause, message };
}
