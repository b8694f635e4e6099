import { describeNorthbound } from '../../contract/northbound.ts';
import { FakeNorthbound } from '../../fakes/northbound.ts';

describeNorthbound('the fake', () => {
  const northbound = new FakeNorthbound();
  return {
    northbound,
    insert: (...rows) => northbound.put(...rows),
    setColumn: (row, column, value) => northbound.setColumn(row, column, value),
    delete: (row) => northbound.delete(row),
    changeBeforeNextWrite: (change) => northbound.changeBeforeNextWrite(change),
    setConfirming: (isConfirming) => northbound.setConfirming(isConfirming),
    fail: () => northbound.fail('cannot be reached'),
    recover: () => northbound.recover(),
    end: () => undefined,
  };
});
